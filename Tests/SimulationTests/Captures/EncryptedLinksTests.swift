import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatHost
import BluethroatRadioMedium
import BluethroatVirtualTime
import Testing

@testable import BluethroatSimulation

/// Each verdict is compared with what the controllers did, which `CipherWitness` finds out with the session key.
@Suite("Which PDUs are encrypted, found from the air alone")
struct EncryptedLinksTests {
    private func world(seed: UInt64 = 7, loss: Int32 = 0) -> (SecureWorld, CipherWitness) {
        let world = SecureWorld([SecureWorldTests.settings(), SecureWorldTests.settings()], seed: seed)
        let witness = CipherWitness()
        world.world.tap = witness
        world.world.setLossEverywhere(.percent(loss))
        return (world, witness)
    }

    private func compare(_ witness: CipherWitness, at location: SourceLocation = #_sourceLocation) {
        let wrong = witness.verdicts.filter { $0.isEncrypted != $0.judgedEncrypted }
        #expect(wrong.isEmpty, sourceLocation: location)
    }

    @Test("In a pairing, the new key of an encrypted link, and the next connection, each PDU is taken for what it is")
    func pairing() throws {
        let (world, witness) = world()
        #expect(try world.connect())
        #expect(try world.pair())
        #expect(try world.read() == .value([2]))
        // An encrypted link is paused before it gets another key.
        #expect(try world.pair())
        #expect(try world.read() == .value([2]))
        #expect(witness.verdicts.contains { $0.control == .pauseEncRsp })
        #expect(try world.disconnect())
        let count = witness.verdicts.count
        #expect(try world.connect())
        #expect(world.run { world.security(0)?.isEncrypted == true && world.security(1)?.isEncrypted == true })
        #expect(try world.read() == .value([2]))
        compare(witness)
        let later = witness.verdicts.dropFirst(count)
        #expect(later.contains { $0.isEncrypted } && later.contains { !$0.isEncrypted && $0.control != nil })
    }

    @Test("Lost and repeated PDUs change nothing, in 40 worlds that lose a third of all frames", arguments: 1...40)
    func loss(seed: UInt64) throws {
        let (world, witness) = world(seed: seed, loss: 33)
        guard try world.connect() else { return compare(witness) }
        for _ in 0..<4 where world.links.count == 2 {
            _ = try world.pair()
            guard world.links.count == 2 else { break }
            _ = try world.read()
        }
        #expect(witness.verdicts.contains { $0.isRepeated && $0.isEncrypted })
        compare(witness)
    }

    @Test("Where the peripheral has no key the connection goes on in the clear")
    func rejected() throws {
        let (world, witness) = world()
        #expect(try world.connect())
        #expect(try world.pair())
        #expect(try world.disconnect())
        let peer = world.bonds(1)[0].peer
        try world.order(1) { host, now, actions throws(BondStoreError) in
            try host.removeBond(peer, at: now, into: &actions)
        }
        let count = witness.verdicts.count
        #expect(try world.connect())
        #expect(world.run { world.devices[0].encryptionFailures == [.pinOrKeyMissing] })
        _ = try world.read()
        let later = witness.verdicts.dropFirst(count)
        #expect(later.contains { $0.control == .encReq } && !later.contains { $0.judgedEncrypted })
        compare(witness)
    }

    // MARK: Frames by hand

    private static let address = AccessAddress(rawValue: 0x5065_4A6B)

    private func frame(
        _ payload: [UInt8],
        _ logicalLink: DataHeader.LogicalLink = .control,
        address: AccessAddress = Self.address,
        from radio: UInt32 = 0,
        sequenceNumber: Bool = false,
        at start: Int64 = 0
    ) throws -> Transmission {
        let header = DataHeader(logicalLink, sequenceNumber: sequenceNumber)
        return transmission(
            AirFrame.make(accessAddress: address, header: header, payload: payload.span.bytes, crcInit: CRCInit(1)),
            try #require(ChannelIndex(5)),
            radio,
            start
        )
    }

    private func transmission(_ frame: [UInt8], _ channel: ChannelIndex, _ radio: UInt32, _ start: Int64)
        -> Transmission
    {
        Transmission(
            radio: RadioID(rawValue: radio),
            channel: channel,
            phy: .le1M,
            power: SignalStrength(dBm: 0),
            syncWord: AirFrame.accessAddress(of: frame).rawValue,
            start: .zero + .microseconds(start),
            end: .zero + .microseconds(start + 300),
            frame: frame
        )
    }

    @Test("After the central's LL_PAUSE_ENC_RSP the peripheral may repeat its own, which is encrypted")
    func pause() throws {
        var links = EncryptedLinks()
        let cipher: [UInt8] = [1, 2, 3, 4, 5]
        func step(_ payload: [UInt8], from radio: UInt32, _ sequenceNumber: Bool) throws -> Bool {
            links.isEncrypted(try frame(payload, from: radio, sequenceNumber: sequenceNumber))
        }
        #expect(try !step(cipher, from: 0, false))
        #expect(try !step([0x05], from: 1, false))
        #expect(try step(cipher, from: 0, true))
        #expect(try !step([], from: 1, true))
        #expect(try step(cipher, from: 1, false))
        // In the clear and too short for a MIC: LL_TERMINATE_IND before the other side encrypts.
        #expect(try !step([0x02, 0x13], from: 1, false))
        #expect(try step(cipher, from: 1, true))
        #expect(try !step([0x0B], from: 0, false))
        #expect(try step(cipher, from: 1, true))
        #expect(try !step([0x0B], from: 0, false))
        #expect(try step(cipher, from: 1, true))
        // Something new of the central: it was acknowledged.
        #expect(try !step([3] + [UInt8](repeating: 0, count: 22), from: 0, true))
        #expect(try !step([4] + [UInt8](repeating: 0, count: 12), from: 1, false))
        #expect(try !step([0x05], from: 1, true))
        #expect(try step(cipher, from: 0, false))
    }

    @Test("A CONNECT_IND with the same access address begins in the clear")
    func nextConnection() throws {
        var links = EncryptedLinks()
        #expect(try !links.isEncrypted(frame([0x05])))
        #expect(try links.isEncrypted(frame([1, 2, 3, 4, 5], .start)))
        // InitA, AdvA, access address, CRCInit, window size and offset, interval, latency, timeout, channels, hop and SCA.
        var payload = [UInt8](repeating: 0x11, count: 12)
        Self.address.write(to: &payload)
        payload += [1, 2, 3, 1, 0, 0, 24, 0, 0, 0, 72, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0x1F, 5]
        let bytes = AirFrame.make(
            accessAddress: .advertising,
            header: 0x05,
            payload: payload.span.bytes,
            crcInit: .advertising
        )
        #expect(!links.isEncrypted(transmission(bytes, try #require(ChannelIndex(37)), 0, 1)))
        #expect(try !links.isEncrypted(frame([1, 2, 3, 4, 5], .start)))
    }

    @Test("However many connections are encrypted, the latest are followed and the state stays bounded")
    func bound() throws {
        var links = EncryptedLinks()
        let count = EncryptedLinks.capacity + 10
        for number in 1...count {
            let address = AccessAddress(rawValue: UInt32(number))
            #expect(try !links.isEncrypted(frame([0x05], address: address, at: Int64(number))))
        }
        func isFollowed(_ number: Int) throws -> Bool {
            links.isEncrypted(try frame([1, 2, 3, 4, 5], address: AccessAddress(rawValue: UInt32(number))))
        }
        #expect(try !isFollowed(10) && isFollowed(11) && isFollowed(count))
    }
}
