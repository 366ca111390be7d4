import BluethroatBluetoothCrypto
import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatVirtualTime
import Testing

@testable import BluethroatLinkLayer

/// Every command that is named in the Supported Commands mask is answered in full, with success and with errors.
@Suite("HCI commands")
struct CommandTests {
    private static let handle = ConnectionHandle(rawValue: 0x0EFF)

    /// Each command that the controller claims, with parameters that suit it, on a connection that there is not.
    private static func commands(_ handle: ConnectionHandle) -> [Command] {
        let peer = PeerAddress(Bench.testerAddress)
        return [
            .disconnect(Disconnect(connection: handle)),
            .readRemoteVersionInformation(ReadRemoteVersionInformation(connection: handle)),
            .setEventMask(SetEventMask(mask: .standard)), .setEventMaskPage2(SetEventMaskPage2(mask: .standard)),
            .readLocalName, .writeSimplePairingMode(WriteSimplePairingMode(isEnabled: true)),
            .writeLEHostSupport(WriteLEHostSupport(isSupported: true)),
            .readLocalExtendedFeatures(ReadLocalExtendedFeatures(page: 0)),
            .reset, .readTransmitPowerLevel(ReadTransmitPowerLevel(connection: handle)),
            .readLocalVersionInformation, .readLocalSupportedCommands, .readLocalSupportedFeatures, .readBufferSize,
            .readBDADDR, .readRSSI(ReadRSSI(connection: handle)), .leSetEventMask(LESetEventMask(mask: .standard)),
            .leReadBufferSize, .leReadLocalSupportedFeatures,
            .leSetRandomAddress(LESetRandomAddress(address: DeviceAddress(value: 0xC0DE_0000_0001, kind: .random))),
            .leSetAdvertisingParameters(LESetAdvertisingParameters()), .leReadAdvertisingPhysicalChannelTxPower,
            .leSetAdvertisingData(LESetAdvertisingData(data: [])),
            .leSetScanResponseData(LESetScanResponseData(data: [])),
            .leSetAdvertisingEnable(LESetAdvertisingEnable(isEnabled: false)),
            .leSetScanParameters(LESetScanParameters()), .leSetScanEnable(LESetScanEnable(isEnabled: false)),
            .leCreateConnection(
                LECreateConnection(
                    peer: peer,
                    minimumInterval: 24,
                    maximumInterval: 24,
                    maximumLatency: 0,
                    supervisionTimeout: 100
                )
            ),
            .leCreateConnectionCancel, .leReadFilterAcceptListSize, .leClearFilterAcceptList,
            .leAddDeviceToFilterAcceptList(LEAddDeviceToFilterAcceptList(device: peer)),
            .leRemoveDeviceFromFilterAcceptList(LERemoveDeviceFromFilterAcceptList(device: peer)),
            .leConnectionUpdate(
                LEConnectionUpdate(
                    connection: handle,
                    minimumInterval: 24,
                    maximumInterval: 24,
                    maximumLatency: 0,
                    supervisionTimeout: 100
                )
            ),
            .leSetHostChannelClassification(
                LESetHostChannelClassification(channels: [0xFF, 0xFF, 0xFF, 0xFF, 0x1F])
            ),
            .leReadChannelMap(LEReadChannelMap(connection: handle)),
            .leReadRemoteFeatures(LEReadRemoteFeatures(connection: handle)),
            .leEncrypt(
                LEEncrypt(key: [UInt8](repeating: 1, count: 16), plaintext: [UInt8](repeating: 2, count: 16))
            ),
            .leRand, .leReadSupportedStates,
            .leRemoteConnectionParameterRequestReply(
                LERemoteConnectionParameterRequestReply(
                    connection: handle,
                    minimumInterval: 24,
                    maximumInterval: 24,
                    maximumLatency: 0,
                    supervisionTimeout: 100
                )
            ),
            .leRemoteConnectionParameterRequestNegativeReply(
                LERemoteConnectionParameterRequestNegativeReply(connection: handle)
            ),
            .leSetDataLength(LESetDataLength(connection: handle, transmitOctets: 27, transmitTime: 328)),
            .leReadSuggestedDefaultDataLength,
            .leWriteSuggestedDefaultDataLength(
                LEWriteSuggestedDefaultDataLength(transmitOctets: 27, transmitTime: 328)
            ),
            .leReadMaximumDataLength, .leReadTransmitPower,
            .leEnableEncryption(LEEnableEncryption(connection: handle, longTermKey: key)),
            .leLongTermKeyRequestReply(LELongTermKeyRequestReply(connection: handle, longTermKey: key)),
            .leLongTermKeyRequestNegativeReply(LELongTermKeyRequestNegativeReply(connection: handle)),
            .readAuthenticatedPayloadTimeout(ReadAuthenticatedPayloadTimeout(connection: handle)),
            .writeAuthenticatedPayloadTimeout(WriteAuthenticatedPayloadTimeout(connection: handle, timeout: 100)),
            .leReadLocalP256PublicKey,
            .leGenerateDHKey(LEGenerateDHKey(publicKey: P256KeyPair.debug.publicKey.littleEndianBytes)),
            .leGenerateDHKeyV2(
                LEGenerateDHKeyV2(publicKey: P256KeyPair.debug.publicKey.littleEndianBytes, usesDebugKey: true)
            ),
            .leAddDeviceToResolvingList(
                LEAddDeviceToResolvingList(
                    identity: peer,
                    peerResolvingKey: [UInt8](repeating: 1, count: 16),
                    localResolvingKey: [UInt8](repeating: 2, count: 16)
                )
            ),
            .leRemoveDeviceFromResolvingList(LERemoveDeviceFromResolvingList(identity: peer)), .leClearResolvingList,
            .leReadResolvingListSize, .leReadPeerResolvableAddress(LEReadPeerResolvableAddress(identity: peer)),
            .leReadLocalResolvableAddress(LEReadLocalResolvableAddress(identity: peer)),
            .leSetAddressResolutionEnable(LESetAddressResolutionEnable(isEnabled: false)),
            .leSetResolvablePrivateAddressTimeout(LESetResolvablePrivateAddressTimeout(seconds: 900)),
            .leSetPrivacyMode(LESetPrivacyMode(identity: peer, mode: .network)),
            .leReadPHY(LEReadPHY(connection: handle)),
            .leSetDefaultPHY(LESetDefaultPHY(transmit: [.le1M, .le2M], receive: .le1M)),
            .leSetPHY(LESetPHY(connection: handle, transmit: .le2M, receive: [.le1M, .le2M])),
        ]
    }

    private static let key = [UInt8](repeating: 3, count: 16)

    /// Where a command's parameters begin with a connection.
    private static func isAboutConnection(_ opcode: Opcode) -> Bool {
        [
            .disconnect, .readRemoteVersionInformation, .readTransmitPowerLevel, .readRSSI, .leConnectionUpdate,
            .leReadChannelMap, .leReadRemoteFeatures, .leRemoteConnectionParameterRequestReply,
            .leRemoteConnectionParameterRequestNegativeReply, .leSetDataLength, .leEnableEncryption,
            .leLongTermKeyRequestReply, .leLongTermKeyRequestNegativeReply, .readAuthenticatedPayloadTimeout,
            .writeAuthenticatedPayloadTimeout, .leReadPHY, .leSetPHY,
        ].contains(opcode)
    }

    /// Commands about an entry of the resolving list, which is empty here.
    private static func isAboutKnownPeer(_ opcode: Opcode) -> Bool {
        [
            .leRemoveDeviceFromResolvingList, .leReadPeerResolvableAddress, .leReadLocalResolvableAddress,
            .leSetPrivacyMode,
        ].contains(opcode)
    }

    /// The answer's bytes after the opcode are as many as the specification says.
    private func expectFullLength(_ packet: [UInt8], _ opcode: Opcode) throws {
        switch try #require(opcode.answer) {
        case .commandComplete(let count, _):
            #expect(packet.count == 6 + count && packet[1] == 0x0E, "\(opcode)")
        case .commandStatus:
            #expect(packet.count == 7 && packet[1] == 0x0F, "\(opcode)")
        case .nothing: Issue.record("\(opcode) has no answer")
        }
    }

    @Test("The samples are all that the mask names, and nothing else")
    func samplesAreComplete() throws {
        let handle = try #require(Self.handle)
        let sampled = Set(Self.commands(handle).map { $0.opcode.rawValue })
        #expect(sampled == Set(CommandHandler.all.map { $0.declaration.opcode.rawValue }))
        let bench = try Bench()
        guard case .commandComplete(let complete) = try bench.command(.readLocalSupportedCommands) else { return }
        let named = try complete.returned(ReadLocalSupportedCommandsReturn.self).commands
        for opcode in CommandHandler.all.map(\.declaration.opcode) {
            // Read Local Supported Commands has no bit of its own.
            #expect(named.contains(opcode) || opcode == .readLocalSupportedCommands, "\(opcode)")
        }
    }

    @Test("Valid commands succeed, but for a connection that there is not")
    func valid() throws {
        let handle = try #require(Self.handle)
        for command in Self.commands(handle) {
            let bench = try Bench()
            bench.send(command.packet())
            let packet = try #require(bench.packets.first, "\(command.opcode)")
            try expectFullLength(packet, command.opcode)
            let status = ControllerError(rawValue: packet[1] == 0x0E ? packet[6] : packet[3])
            if Self.isAboutConnection(command.opcode) {
                #expect(status == .unknownConnectionIdentifier, "\(command.opcode)")
                if packet[1] == 0x0E { #expect(packet[7...8] == [0xFF, 0x0E], "\(command.opcode) repeats the handle") }
            } else if command == .leCreateConnectionCancel || command.opcode == .leGenerateDHKey {
                // There is nothing to cancel, and no private key yet.
                #expect(status == .commandDisallowed)
            } else if Self.isAboutKnownPeer(command.opcode) {
                #expect(status == .unknownConnectionIdentifier, "\(command.opcode)")
            } else {
                #expect(status == .success, "\(command.opcode)")
            }
            // One command at a time: the credit is always one.
            #expect(packet[packet[1] == 0x0E ? 3 : 4] == 1)
        }
    }

    @Test("Parameters too short or too long are refused in an answer of full length, and nothing else comes of them")
    func malformed() throws {
        let handle = try #require(Self.handle)
        for command in Self.commands(handle) {
            let bench = try Bench()
            let packet = command.packet()
            for count in 0...(packet.count - 4 + 1) where count != packet.count - 4 {
                var malformed = Array((packet + [0]).prefix(4 + count))
                malformed[3] = UInt8(count)
                bench.send(malformed)
                let answers = bench.takePackets()
                #expect(answers.count == 1)
                let answer = try #require(answers.first)
                try expectFullLength(answer, command.opcode)
                #expect(answer[answer[1] == 0x0E ? 6 : 3] == 0x12, "\(command.opcode) with \(count) bytes")
            }
            bench.run(for: .seconds(1))
            #expect(bench.packets.isEmpty && bench.takeFrames().isEmpty)
        }
    }

    @Test("A length byte that lies about the packet is refused as well")
    func lyingLength() throws {
        let bench = try Bench()
        bench.send([1, 0x03, 0x0C, 1])
        #expect(bench.takePackets() == [[4, 0x0E, 4, 1, 0x03, 0x0C, 0x12]])
        bench.send([1, 0x03, 0x0C, 0, 9])
        #expect(bench.takePackets() == [[4, 0x0E, 4, 1, 0x03, 0x0C, 0x12]])
    }

    @Test("What is not supported is an unknown command, whatever its parameters")
    func unknown() throws {
        let bench = try Bench()
        let opcodes: [UInt16] = [
            0x0405, 0x0C13, 0x201F, 0x2036, 0x2041, 0x2060, 0xFC00, 0xFFFF, 0x0000,
        ]
        for opcode in opcodes {
            for parameters in [[], [1, 2, 3]] as [[UInt8]] {
                let bytes = [UInt8(opcode & 0xFF), UInt8(opcode >> 8)]
                bench.send([1] + bytes + [UInt8(parameters.count)] + parameters)
                #expect(bench.takePackets() == [[4, 0x0F, 4, 0x01, 1] + bytes])
            }
        }
    }

    @Test(
        "Packets that are no commands and no data are passed over",
        arguments: [[], [0], [3, 1, 2], [4, 1, 0], [5], [9, 9], [1], [1, 3]] as [[UInt8]]
    )
    func noise(packet: [UInt8]) throws {
        let bench = try Bench()
        bench.send(packet)
        #expect(bench.takePackets().isEmpty)
    }

    // The specification's own example. Core 6.0, Vol 6, Part C, 1.1 gives the block, Vol 4, Part E, 7.8.22 the order.
    @Test("LE Encrypt takes and gives bytes least significant first")
    func encrypt() throws {
        let bench = try Bench()
        let key: [UInt8] = [
            0xBF, 0x01, 0xFB, 0x9D, 0x4E, 0xF3, 0xBC, 0x36, 0xD8, 0x74, 0xF5, 0x39, 0x41, 0x38, 0x68, 0x4C,
        ]
        let plaintext: [UInt8] = [
            0x13, 0x02, 0xF1, 0xE0, 0xDF, 0xCE, 0xBD, 0xAC, 0x79, 0x68, 0x57, 0x46, 0x35, 0x24, 0x13, 0x02,
        ]
        let expected: [UInt8] = [
            0x66, 0xC6, 0xC2, 0x27, 0x8E, 0x3B, 0x8E, 0x05, 0x3E, 0x7E, 0xA3, 0x26, 0x52, 0x1B, 0xAD, 0x99,
        ]
        bench.send([1, 0x17, 0x20, 32] + key + plaintext)
        #expect(bench.takePackets() == [[4, 0x0E, 20, 1, 0x17, 0x20, 0] + expected])
    }

    @Test("LE Rand gives another number each time, and the same ones with the same seed")
    func rand() throws {
        let numbers = { () throws -> [[UInt8]] in
            let bench = try Bench(seed: 5)
            for _ in 0..<8 { bench.send([1, 0x18, 0x20, 0]) }
            return bench.takePackets()
        }
        let first = try numbers()
        #expect(Set(first).count == 8)
        #expect(try numbers() == first)
    }
}
