import BluethroatAirPackets
import BluethroatBluetoothCrypto
import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatLinkLayer
import BluethroatVirtualTime
import Testing

/// PDUs on an encrypted link. Core 6.0, Vol 6, Part B, 2.4, 4.5.9, 4.5.10; Part E.
@Suite("Encrypted PDUs")
struct EncryptedDataTests {
    @Test("Empty PDUs are not encrypted, and not counted", arguments: [ConnectionRole.central, .peripheral])
    func empty(role: ConnectionRole) throws {
        let tester = try SecureTester.encrypted(as: role)
        for _ in 0..<5 {
            try tester.idle(events: 7)
            try tester.checkTraffic()
        }
    }

    @Test(
        "Sent again, a PDU is the same to the last bit but for NESN and MD",
        arguments: [ConnectionRole.central, .peripheral]
    )
    func retransmission(role: ConnectionRole) throws {
        let tester = try SecureTester.encrypted(as: role)
        tester.sendData([1, 2, 3, 4])
        var payloads: [Payload] = []
        for index in 0..<12 {
            // More data waits meanwhile: MD changes. The tester's own data is new each time: NESN changes.
            if index == 4 { tester.sendData([5]) }
            let payload = try tester.link.isAcknowledged ? tester.seal(.start([9])) : .empty
            if let heard = try tester.link.exchange(payload, .deaf), heard.payload != .empty {
                payloads.append(heard.payload)
            }
        }
        #expect(payloads.count > 8 && Set(payloads).count == 1)
        #expect(try tester.nextPayload() == .start([1, 2, 3, 4]))
        #expect(try tester.nextPayload() == .start([5]))
    }

    @Test("A PDU that comes twice is decrypted and handed over once", arguments: [ConnectionRole.central, .peripheral])
    func repetition(role: ConnectionRole) throws {
        let tester = try SecureTester.encrypted(as: role)
        var stream = SeededRandom(seed: 1, purpose: "repetitions")
        for number in 0..<20 as Range<UInt8> {
            tester.sendData([number, 1])
            #expect(try tester.converse(.start([number, 2]), &stream) == .start([number, 1]))
        }
        let data = tester.bench.takePackets().filter { $0[0] == 2 }
        #expect(data == (0..<20 as Range<UInt8>).map { tester.received([$0, 2]) })
        try tester.checkTraffic()
    }

    @Test("A MIC that is wrong ends the link at once, and nothing of the PDU is handed over", arguments: 0..<24)
    func wrongMIC(index: Int) throws {
        for role in [ConnectionRole.central, .peripheral] {
            for payload in [Payload.start([1, 2, 3, 4, 5]), .control(.pingReq)] {
                let tester = try SecureTester.encrypted(as: role)
                tester.sendData([8])
                var sealed = try tester.seal(payload)
                sealed.bytes[index % sealed.bytes.count] ^= 1 << UInt8(index % 8)
                try tester.throwIn(sealed)
                let end = tester.bench.takePackets().last
                #expect(end?[1] == EventCode.disconnectionComplete.rawValue && end?[6] == 0x3D)
                #expect(tester.bench.takePackets().isEmpty)
                tester.bench.run(for: .seconds(1))
                let radio = tester.bench.takeFrames()
                #expect(radio.isEmpty)
            }
        }
    }

    @Test("So does what is too short for a MIC, what is not encrypted, and what went before")
    func noMIC() throws {
        let plain = (1...6).map { Payload.start([UInt8](repeating: 0, count: $0)) }
        for payload in plain + [.control(.pingReq), Payload(link: .reserved, bytes: [1, 2, 3, 4, 5, 6])] {
            let tester = try SecureTester.encrypted(as: .peripheral)
            try tester.throwIn(payload)
            try tester.expectEnd(.connectionTerminatedMICFailure)
        }
        // Replayed: one PDU recorded, and sent as a new one.
        let tester = try SecureTester.encrypted(as: .peripheral)
        let sealed = try tester.seal(.start([1, 2]))
        try tester.link.send(sealed)
        _ = tester.bench.takePackets()
        try tester.throwIn(sealed)
        try tester.expectEnd(.connectionTerminatedMICFailure)
        // Reflected: the controller's own.
        let mirror = try SecureTester.encrypted(as: .peripheral)
        mirror.sendData([1, 2])
        let own = try #require(try mirror.link.nextPayload())
        _ = mirror.bench.takePackets()
        try mirror.throwIn(own)
        try mirror.expectEnd(.connectionTerminatedMICFailure)
    }

    @Test("LLID is under the MIC: control and data cannot be exchanged")
    func logicalLink() throws {
        let tester = try SecureTester.encrypted(as: .peripheral)
        var sealed = try tester.seal(.start([0x02, 0x13]))
        sealed.link = .control
        try tester.throwIn(sealed)
        try tester.expectEnd(.connectionTerminatedMICFailure)
    }

    @Test("A PDU of the reserved LLID is counted and passed over")
    func reserved() throws {
        let tester = try SecureTester.encrypted(as: .peripheral)
        try tester.send(Payload(link: .reserved, bytes: [1, 2, 3]))
        #expect(tester.bench.takePackets().isEmpty)
        try tester.checkTraffic()
    }

    @Test("The MIC counts for the time on air and not for the octets")
    func lengths() throws {
        for (octets, time, expected) in [(27, 328, 27), (251, 2_120, 251), (251, 1_000, 111), (200, 2_120, 200)] {
            let tester = try SecureTester.encrypted(as: .peripheral)
            let lengths = DataLengths(octets: UInt16(octets), time: UInt16(time))
            let command = LESetDataLength(connection: tester.handle, transmitOctets: 251, transmitTime: 2_120)
            try tester.bench.succeed(.leSetDataLength(command))
            #expect(try tester.nextControl().opcode == .lengthReq)
            try tester.send(.lengthRsp(lengths))
            tester.sendData([UInt8](repeating: 1, count: 251))
            let first = try #require(try tester.link.nextPayload())
            #expect(first.bytes.count == expected + 4)
            #expect(try tester.open(first) == .start([UInt8](repeating: 1, count: expected)))
            var rest = 251 - expected
            while rest > 0 { rest -= try #require(try tester.nextPayload()).bytes.count }
            // The longest of the peer's.
            let longest = [UInt8](repeating: 2, count: min(octets, 251))
            _ = tester.bench.takePackets()
            try tester.send(.start(longest))
            #expect(tester.bench.takePackets().contains(tester.received(longest)))
        }
    }

    @Test("The termination of an encrypted link is encrypted", arguments: [ConnectionRole.central, .peripheral])
    func termination(role: ConnectionRole) throws {
        let own = try SecureTester.encrypted(as: role)
        try own.bench.succeed(.disconnect(Disconnect(connection: own.handle, reason: .remoteUserTerminatedConnection)))
        #expect(try own.nextControl() == .terminateInd(.remoteUserTerminatedConnection))
        #expect(try own.awaitEnd()?.reason == .connectionTerminatedByLocalHost)
        let peers = try SecureTester.encrypted(as: role)
        _ = try peers.link.exchange(try peers.seal(.control(.terminateInd(.remoteDeviceTerminatedPowerOff))))
        #expect(try peers.awaitEnd()?.reason == .remoteDeviceTerminatedPowerOff)
    }
}
