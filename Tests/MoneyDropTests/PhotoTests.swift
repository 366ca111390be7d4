import BluethroatHost
import BluethroatMoneyTerms
import BluethroatSimulation
import BluethroatTesting
import Foundation
import Testing

@testable import BluethroatMoneyDrop

@Suite("Photos over a channel")
struct PhotoTests {
    @Test(
        "A photo's channel is encrypted, after the phones have paired, unless its owner wants it as the first ones had it",
        arguments: [false, true]
    )
    func encryption(isPlain: Bool) throws {
        let scene = MoneyScene()
        let photo = picture(20_000)
        let ben = scene.add("Ben")
        let anna = scene.add("Anna", photo: photo) { if isPlain { $0.encryptsChannel = false } }
        ben.drop.look(true)
        try scene.air.run(until: ben.sees(anna)?.photo == .complete(20_000), within: .seconds(20))
        let id = try #require(ben.sees(anna)?.id)
        #expect(ben.drop.photo(of: id) == photo)
        #expect(ben.phone.isLinkEncrypted(to: id) != isPlain)
        // Money goes the same way.
        try ben.send(300, to: anna)
        try scene.air.run(until: ben.screen.outgoing.map(\.state) == [.told], within: .seconds(10))
        #expect(scene.air.misuse.isEmpty)
    }

    /// Somebody in front of Anna who is no MoneyDrop, and knows which photo she has.
    private func stranger(in scene: MoneyScene, saying words: Data) throws -> Stranger {
        let stranger = scene.air.addPhone(named: "stranger").addApp().run { Stranger() }
        stranger.onlyWords = words
        try scene.air.run(until: stranger.isReady, within: .seconds(10))
        return stranger
    }

    @Test("Who opens channels and asks for nothing keeps nobody from a photo")
    func silentChannels() throws {
        let scene = MoneyScene(logsAir: false)
        let anna = scene.add("Anna", photo: picture(20_000)) {
            $0.encryptsChannel = false
            $0.channelLimit = 1
        }
        let stranger = try stranger(in: scene, saying: Data([1]))
        for _ in 0..<3 {
            stranger.openChannel()
            scene.air.run(for: .seconds(1))
        }
        let ben = scene.add("Ben")
        ben.drop.look(true)
        try scene.air.run(until: ben.sees(anna)?.photo == .complete(20_000), within: .seconds(10))
    }

    @Test("One who takes a long photo and does not read it does not keep the phone hidden")
    func slowReader() throws {
        let scene = MoneyScene(logsAir: false)
        let photo = picture(300_000)
        let anna = scene.add("Anna", photo: photo) { $0.encryptsChannel = false }
        let request = PhotoFrame.request(digest: PhotoFile(photo).description.digest, offset: 0).bytes
        let stranger = try stranger(in: scene, saying: request)
        var hidden = 0
        for second in 0..<300 {
            // Its channel is closed after half a minute in which nothing moves.
            if second % 31 == 0 { stranger.openChannel() }
            scene.air.run(for: .seconds(1))
            if anna.drop.recipient.isQuiet { hidden += 1 }
        }
        #expect((20...160).contains(hidden), "\(hidden) of 300 s")
    }

    @Test("The photo of a phone that has forgotten the pairing is given up, with a reason; money comes by the bank")
    func forgottenPairing() throws {
        let scene = MoneyScene()
        let ben = scene.add("Ben"), anna = scene.add("Anna", photo: picture(300_000))
        ben.drop.look(true)
        try scene.air.run(within: .seconds(20)) {
            guard case .coming(let count, _)? = ben.sees(anna)?.photo else { return false }
            return count > 50_000
        }
        // The connection ends with it.
        forgetBonds(of: anna, in: scene)
        try scene.air.run(within: .seconds(20)) {
            guard case .failed(let why)? = ben.sees(anna)?.photo else { return false }
            return why.contains("has forgotten the pairing")
        }
        try scene.air.run(until: ben.sees(anna)?.isConnected == false, within: .seconds(10))
        #expect(ben.sees(anna)?.problem?.contains("has forgotten the pairing") == true)
        // A phone whose every connection ends as it begins is not called again, for some minutes.
        var calls = 0, wasConnected = false
        ben.drop.changed = {
            let isConnected = ben.drop.screen.people.contains(where: \.isConnected)
            if isConnected, !wasConnected { calls += 1 }
            wasConnected = isConnected
        }
        scene.air.run(for: .seconds(20))
        // The receipt does not come over the air any more. The bank tells Anna, and that Anna knows.
        try ben.send(300, to: anna)
        try scene.air.run(until: ben.screen.outgoing.map(\.state) == [.told], within: .seconds(120))
        #expect(try scene.balance(anna) == 103_00 && anna.screen.notices.count == 1)
        // So it goes as long as Anna's details are fresh: half of the 300 s of a token.
        try scene.air.run(until: ben.sees(anna)?.canBePaid == false, within: .seconds(160))
        let error = #expect(throws: MoneyDropApp.SendError.self) { try ben.send(300, to: anna) }
        #expect(error.map { "\($0)" }?.contains("has forgotten the pairing") == true)
        #expect(calls == 0)
        // Then it is called once, to no avail; and is left alone again.
        try scene.air.run(until: calls == 1, within: .seconds(310))
        scene.air.run(for: .seconds(280))
        #expect(calls == 1 && ben.sees(anna)?.problem != nil && ben.sees(anna)?.canBePaid == false)
        // Ben has forgotten it, too: with the next call all is as at first, and the rest of the photo comes.
        forgetBonds(of: ben, in: scene)
        try scene.air.run(within: .seconds(120)) {
            ben.screen.people.contains { $0.photo == .complete(300_000) && $0.problem == nil && $0.canBePaid }
        }
        let person = try #require(ben.screen.people.first { $0.canBePaid })
        try ben.drop.send(Money(minorUnits: 200, .euro), to: person.id)
        try scene.air.run(until: ben.screen.outgoing.map(\.state) == [.told, .told], within: .seconds(10))
    }

    @Test("A new run of the app says that a phone has forgotten the pairing, before it knows whose it is")
    func forgottenBeforeDetails() throws {
        let scene = MoneyScene()
        let ben = scene.add("Ben"), anna = scene.add("Anna", photo: picture(5_000))
        ben.drop.look(true)
        try scene.air.run(until: ben.sees(anna)?.photo == .complete(5_000), within: .seconds(20))
        ben.app.forceQuit()
        scene.air.run(for: .seconds(2))
        forgetBonds(of: anna, in: scene)
        ben.app.launch()
        scene.air.run(for: .seconds(1))
        ben.drop.look(true)
        try scene.air.run(within: .seconds(20)) {
            ben.screen.people.contains { $0.problem?.contains("has forgotten the pairing") == true }
        }
        #expect(ben.screen.people.allSatisfy { !$0.canBePaid })
    }

    private func forgetBonds(of owner: Owner, in scene: MoneyScene) {
        scene.air.world.perform(on: owner.phone.device) { host, now, actions in
            for bond in host.bonds { try? host.removeBond(bond.peer, at: now, into: &actions) }
        }
    }

    @Test("On a later connection, where there is no photo to fetch any more, a receipt is encrypted all the same")
    func laterConnection() throws {
        let scene = MoneyScene()
        let ben = scene.add("Ben"), anna = scene.add("Anna", photo: picture(5_000))
        ben.drop.look(true)
        try scene.air.run(until: ben.sees(anna)?.photo == .complete(5_000), within: .seconds(20))
        scene.air.cut(ben.phone, from: anna.phone)
        try scene.air.run(until: ben.sees(anna)?.isConnected == false, within: .seconds(20))
        scene.air.mend(ben.phone, with: anna.phone)
        try scene.air.run(until: ben.sees(anna)?.isConnected == true, within: .seconds(20))
        try ben.send(300, to: anna)
        try scene.air.run(until: ben.screen.outgoing.map(\.state) == [.told], within: .seconds(10))
        #expect(ben.phone.isLinkEncrypted(to: try #require(ben.sees(anna)?.id)))
        #expect(scene.air.misuse.isEmpty)
    }

    @Test("Who has no photo is paid without pairing")
    func noPhoto() throws {
        let scene = MoneyScene()
        let ben = scene.add("Ben"), anna = scene.add("Anna")
        ben.drop.look(true)
        try scene.air.run(until: ben.sees(anna)?.canBePaid == true, within: .seconds(5))
        try ben.send(300, to: anna)
        try scene.air.run(until: ben.screen.outgoing.map(\.state) == [.told], within: .seconds(5))
        #expect(!ben.phone.isLinkEncrypted(to: try #require(ben.sees(anna)?.id)))
    }

    @Test("A photo arrives byte for byte, whatever its size", arguments: [1, 511, 4504, 100_000])
    func sizes(count: Int) throws {
        let scene = MoneyScene()
        let photo = picture(count)
        let ben = scene.add("Ben"), anna = scene.add("Anna", photo: photo)
        ben.drop.look(true)
        try scene.air.run(until: ben.sees(anna)?.photo == .complete(UInt64(count)), within: .seconds(20))
        let id = try #require(ben.sees(anna)?.id)
        #expect(ben.drop.photo(of: id) == photo)
        try scene.air.run(until: anna.screen.photosBeingSent.isEmpty, within: .seconds(1))
        #expect(scene.air.misuse.isEmpty)
    }

    @Test("Photos of several people come at once")
    func several() throws {
        let scene = MoneyScene()
        let ben = scene.add("Ben")
        let others = (0..<4).map { scene.add("Person \($0)", photo: picture(50_000, seed: UInt64($0))) }
        ben.drop.look(true)
        var most = 0
        try scene.air.run(within: .seconds(60)) {
            let coming = ben.screen.people.filter {
                if case .coming(let count, _) = $0.photo { count > 0 } else { false }
            }
            most = max(most, coming.count)
            return others.allSatisfy { ben.sees($0)?.photo == .complete(50_000) }
        }
        #expect(most > 1)
        for (index, other) in others.enumerated() {
            #expect(ben.drop.photo(of: try #require(ben.sees(other)?.id)) == picture(50_000, seed: UInt64(index)))
        }
    }

    @Test("After a break the photo goes on where it was")
    func resume() throws {
        let scene = MoneyScene()
        let photo = picture(300_000)
        let ben = scene.add("Ben"), anna = scene.add("Anna", photo: photo)
        ben.drop.look(true)
        var breaks: [UInt64] = []
        for limit in [50_000, 150_000] as [UInt64] {
            try scene.air.run(within: .seconds(20)) {
                guard case .coming(let count, _)? = ben.sees(anna)?.photo else { return false }
                return count > limit
            }
            scene.air.cut(ben.phone, from: anna.phone)
            try scene.air.run(until: ben.sees(anna)?.isConnected == false, within: .seconds(20))
            guard case .coming(let count, _)? = ben.sees(anna)?.photo else { throw CancellationError() }
            breaks.append(count)
            scene.air.mend(ben.phone, with: anna.phone)
        }
        let before = scene.air.log.packets.count
        try scene.air.run(until: ben.sees(anna)?.photo == .complete(300_000), within: .seconds(20))
        #expect(ben.drop.photo(of: try #require(ben.sees(anna)?.id)) == photo)
        // What came before the break did not come again.
        let bytes = scene.air.log.packets[before...].map(\.bytes.count).reduce(0, +)
        #expect(breaks[1] > 150_000 && bytes < 300_000 - Int(breaks[1]) + 60_000, "\(breaks), \(bytes)")
    }
}
