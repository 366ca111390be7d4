import BluethroatBluetoothValues
import BluethroatHost
import BluethroatKeyFob
import BluethroatKeyFobConsole
import BluethroatLiveLoop
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime
import BluethroatWorkbench
import Testing

@testable import BluethroatKeyFobWorld
@testable import BluethroatLive

/// Several fobs in one world, run by hand, with all that they told.
private final class Fobs {
    private(set) var events: [KeyFobWorldEvent] = []
    private(set) var world: KeyFobWorld!
    private var now = Instant.zero
    private let count: Int

    init(_ choice: FobChoice = .hardware(.advertising), count: Int = 3, seed: UInt64 = 1) {
        self.count = count
        world = KeyFobWorld(seed: seed, fob: choice, count: count, radio: .air(distance: 2), captures: nil) {
            [unowned self] in events.append($0)
        }
        world.start()
    }

    func run(for span: TimeSpan) {
        now += span
        world.run(until: now)
    }

    func say(_ lines: String...) {
        var input = KeyFobInput(.lines, fobs: count)
        for item in lines.flatMap({ input.take(Array(($0 + "\n").utf8)) }) { world.obey(item) }
    }

    /// What changed of all fobs in the order in which it was told.
    var changes: [(fob: Int, notice: FobNotice)] {
        var changes: [(Int, FobNotice)] = []
        for case .of(let fob, .changed(let notices)) in events { changes += notices.map { (fob, $0) } }
        return changes
    }

    func keys(of fob: Int) -> [KeyFobKeys] {
        var keys: [KeyFobKeys] = []
        for (number, notice) in changes where number == fob {
            if case .fob(.keys(let now)) = notice.change { keys.append(now) }
        }
        return keys
    }

    var workbench: Workbench { world.session.workbench }
}

extension KeyFobOptions {
    /// A fob that advertises when it is switched on.
    fileprivate static var advertising: KeyFobOptions {
        var options = KeyFobOptions()
        options.advertisesAtStart = true
        return options
    }
}

@Suite("Several key fobs in one world")
struct SeveralFobsWorldTests {
    @Test(
        "Each has an address, a name and a place of its own, and all advertise",
        arguments: [FobChoice.hardware(.advertising), .phone(PhoneFobOptions())]
    )
    func identities(choice: FobChoice) throws {
        let fobs = Fobs(choice)
        fobs.run(for: .seconds(3))
        let entries = fobs.workbench.entries
        #expect(entries.map(\.name) == ["key fob 1", "key fob 2", "key fob 3"])
        let looks = entries.compactMap { fobs.workbench.fob($0.id)?.look(in: fobs.workbench.world) }
        #expect(looks.map(\.address) == (0..<3).map { choice.address(number: $0) })
        #expect(Set(looks.map(\.address)).count == 3)
        #expect(looks.allSatisfy { $0.isAdvertising })
        let places = entries.compactMap { fobs.workbench.world.position(of: $0.id) }
        #expect(Set(places).count == 3)
        for place in places {
            let squared = Double(place.x) * Double(place.x) + Double(place.y) * Double(place.y)
            #expect((1_990.0...2_010).contains(squared.squareRoot()), "\(place)")
        }
    }

    @Test("A central hears all of them, at addresses of their own")
    func heard() throws {
        let fobs = Fobs()
        let id = fobs.workbench.addCentral()
        fobs.run(for: .seconds(1))
        _ = fobs.workbench.order(id) { central, host, now, actions in
            central.scan(true, host: host, at: now, into: &actions)
        }
        fobs.run(for: .seconds(5))
        let heard = try #require(fobs.workbench.central(id)).sightings.entries.map(\.address)
        #expect(Set(heard) == Set((0..<3).map { KeyFobDevice.address(number: $0) }))
    }

    @Test("A word is for the fob of its number, or for the one that was chosen, and for no other")
    func words() throws {
        let fobs = Fobs()
        fobs.run(for: .seconds(1))
        fobs.say("2 l", "3 r down", "3", "r up", "@2 1 l")
        fobs.run(for: .seconds(2))
        #expect(fobs.keys(of: 1) == [.left, []])
        #expect(fobs.keys(of: 2) == [.left, []])
        #expect(fobs.keys(of: 3) == [.right, []])
        let before = fobs.workbench.entries.map { fobs.workbench.world.position(of: $0.id) }
        fobs.say("2 d 500")
        let after = fobs.workbench.entries.map { fobs.workbench.world.position(of: $0.id) }
        #expect(zip(before, after).map { $0 != $1 } == [false, true, false])
    }

    @Test("What cannot be done is told of the fob that was asked, and the others go on")
    func refusals() throws {
        let fobs = Fobs()
        fobs.run(for: .seconds(1))
        for _ in 0..<200 { fobs.say("2 l") }
        fobs.workbench.remove(fobs.workbench.entries[2].id)
        fobs.say("3 l", "1 l")
        var refused: [Int] = []
        for case .of(let fob, .failed) in fobs.events { refused.append(fob) }
        #expect(Set(refused) == [2, 3])
        fobs.run(for: .seconds(1))
        #expect(fobs.keys(of: 1) == [.left, []])
    }

    @Test("What happens is told in the order in which it happened, and is the same for the same seed")
    func order() throws {
        func run(seed: UInt64) -> ([String], TraceDigest) {
            let fobs = Fobs(seed: seed)
            // In one piece, as where time passes as fast as it can.
            fobs.say("@1 3 l", "@1.05 1 l", "@1.1 2 l")
            fobs.run(for: .seconds(40))
            let times = fobs.changes.map(\.notice.time)
            #expect(times == times.sorted())
            return (fobs.changes.map { "\($0) \($1.time) \($1.change)" }, fobs.workbench.world.digest)
        }
        let (lines, digest) = run(seed: 5)
        #expect(run(seed: 5) == (lines, digest))
        #expect(run(seed: 6).1 != digest)
        #expect(Set(lines.map(\.first)) == ["1", "2", "3"])
    }

    @Test("One fob says nothing of numbers")
    func one() {
        let fobs = Fobs(count: 1)
        fobs.run(for: .seconds(2))
        #expect(fobs.changes.isEmpty)
        #expect(fobs.workbench.entries.map(\.name) == ["key fob"])
        #expect(fobs.events.contains { if case .changed = $0 { true } else { false } })
    }

    @Test("A session that ends tells first what has happened until then")
    func end() {
        func hasAdvertised(_ events: some Sequence<KeyFobWorldEvent>) -> Bool {
            for case .changed(let notices) in events
            where notices.contains(where: { $0.change == .fob(.advertising(true)) }) {
                return true
            }
            return false
        }
        // All in one piece, as where time passes as fast as it can.
        let asked = Fobs(count: 1)
        asked.say("@1 q")
        asked.run(for: .seconds(2))
        #expect(hasAdvertised(asked.events.prefix { if case .askedToEnd = $0 { false } else { true } }))

        let over = Fobs(count: 1)
        var wasTold: Bool?
        over.world.world.schedule(at: .zero + .seconds(1)) { _ in
            over.world.close { _ in wasTold = hasAdvertised(over.events) }
        }
        over.run(for: .seconds(2))
        #expect(wasTold == true)
    }

    @Test("From 1 to 9, and nothing else", arguments: ["0", "10", "-1", "three", "", "2.5", "99999999999999999999"])
    func counts(text: String) throws {
        #expect(throws: (any Error).self) { try KeyFobCount(parsing: text) }
        #expect(try (1...9).map { try KeyFobCount(parsing: "\($0)").value } == Array(1...9))
    }
}
