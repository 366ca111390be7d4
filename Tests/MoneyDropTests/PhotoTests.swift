import BluethroatHost
import BluethroatMoneyDrop
import BluethroatMoneyTerms
import BluethroatSimulation
import BluethroatTesting
import Foundation
import Testing

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
        scene.air.world.perform(on: anna.phone.device) { host, now, actions in
            for bond in host.bonds { try? host.removeBond(bond.peer, at: now, into: &actions) }
        }
        try scene.air.run(within: .seconds(20)) {
            guard case .failed(let why)? = ben.sees(anna)?.photo else { return false }
            return why.contains("has forgotten the pairing")
        }
        try scene.air.run(until: ben.sees(anna)?.isConnected == false, within: .seconds(10))
        // A phone whose every connection ends as it begins is not called again.
        var isCalled = false
        ben.drop.changed = { if ben.sees(anna)?.isConnected == true { isCalled = true } }
        scene.air.run(for: .seconds(20))
        #expect(!isCalled)
        // The receipt does not come over the air any more. The bank tells Anna, and that Anna knows.
        try ben.send(300, to: anna)
        try scene.air.run(until: ben.screen.outgoing.map(\.state) == [.told], within: .seconds(120))
        #expect(try scene.balance(anna) == 103_00 && anna.screen.notices.count == 1)
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
