import BluethroatByteCoding
import Testing

@testable import BluethroatHCI

@Suite("Supported Commands")
struct SupportedCommandsTests {
    /// Octets of the table in Core 6.0, Vol 4, Part E, 6.27, bit 0 first; nil where a bit is unused or its command is
    /// not named here.
    static let octets: [(Int, [Opcode?])] = [
        (0, [nil, nil, nil, nil, nil, .disconnect, nil, nil]),
        (2, [nil, nil, nil, nil, nil, nil, nil, .readRemoteVersionInformation]),
        (5, [nil, nil, nil, nil, nil, nil, .setEventMask, .reset]),
        (7, [.writeLocalName, .readLocalName, nil, nil, nil, nil, nil, nil]),
        (
            10,
            [
                nil, nil, .readTransmitPowerLevel, nil, nil, .setControllerToHostFlowControl, .hostBufferSize,
                .hostNumberOfCompletedPackets,
            ]
        ),
        (
            14,
            [
                nil, nil, nil, .readLocalVersionInformation, nil, .readLocalSupportedFeatures,
                .readLocalExtendedFeatures, .readBufferSize,
            ]
        ),
        (15, [nil, .readBDADDR, nil, nil, nil, .readRSSI, nil, nil]),
        (17, [nil, nil, nil, nil, nil, nil, .writeSimplePairingMode, nil]),
        (22, [nil, nil, .setEventMaskPage2, nil, nil, nil, nil, nil]),
        (24, [nil, nil, nil, nil, nil, .readLEHostSupport, .writeLEHostSupport, nil]),
        (
            25,
            [
                .leSetEventMask, .leReadBufferSize, .leReadLocalSupportedFeatures, nil, .leSetRandomAddress,
                .leSetAdvertisingParameters, .leReadAdvertisingPhysicalChannelTxPower, .leSetAdvertisingData,
            ]
        ),
        (
            26,
            [
                .leSetScanResponseData, .leSetAdvertisingEnable, .leSetScanParameters, .leSetScanEnable,
                .leCreateConnection, .leCreateConnectionCancel, .leReadFilterAcceptListSize, .leClearFilterAcceptList,
            ]
        ),
        (
            27,
            [
                .leAddDeviceToFilterAcceptList, .leRemoveDeviceFromFilterAcceptList, .leConnectionUpdate,
                .leSetHostChannelClassification, .leReadChannelMap, .leReadRemoteFeatures, .leEncrypt, .leRand,
            ]
        ),
        (
            28,
            [
                .leEnableEncryption, .leLongTermKeyRequestReply, .leLongTermKeyRequestNegativeReply,
                .leReadSupportedStates, .leReceiverTest, .leTransmitterTest, .leTestEnd, nil,
            ]
        ),
        (
            32,
            [
                nil, nil, nil, nil, .readAuthenticatedPayloadTimeout, .writeAuthenticatedPayloadTimeout, nil, nil,
            ]
        ),
        (
            33,
            [
                nil, nil, nil, nil, .leRemoteConnectionParameterRequestReply,
                .leRemoteConnectionParameterRequestNegativeReply, .leSetDataLength, .leReadSuggestedDefaultDataLength,
            ]
        ),
        (
            34,
            [
                .leWriteSuggestedDefaultDataLength, .leReadLocalP256PublicKey, .leGenerateDHKey,
                .leAddDeviceToResolvingList, .leRemoveDeviceFromResolvingList, .leClearResolvingList,
                .leReadResolvingListSize, .leReadPeerResolvableAddress,
            ]
        ),
        (
            35,
            [
                .leReadLocalResolvableAddress, .leSetAddressResolutionEnable, .leSetResolvablePrivateAddressTimeout,
                .leReadMaximumDataLength, .leReadPHY, .leSetDefaultPHY, .leSetPHY, .leReceiverTestV2,
            ]
        ),
        (
            36,
            [
                .leTransmitterTestV2, .leSetAdvertisingSetRandomAddress, .leSetExtendedAdvertisingParameters,
                .leSetExtendedAdvertisingData, .leSetExtendedScanResponseData, .leSetExtendedAdvertisingEnable,
                .leReadMaximumAdvertisingDataLength, .leReadNumberOfSupportedAdvertisingSets,
            ]
        ),
        (
            37,
            [
                .leRemoveAdvertisingSet, .leClearAdvertisingSets, .leSetPeriodicAdvertisingParameters,
                .leSetPeriodicAdvertisingData, .leSetPeriodicAdvertisingEnable, .leSetExtendedScanParameters,
                .leSetExtendedScanEnable, .leExtendedCreateConnection,
            ]
        ),
        (
            38,
            [
                .lePeriodicAdvertisingCreateSync, .lePeriodicAdvertisingCreateSyncCancel,
                .lePeriodicAdvertisingTerminateSync, .leAddDeviceToPeriodicAdvertiserList,
                .leRemoveDeviceFromPeriodicAdvertiserList, .leClearPeriodicAdvertiserList,
                .leReadPeriodicAdvertiserListSize, .leReadTransmitPower,
            ]
        ),
        (
            39,
            [
                .leReadRFPathCompensation, .leWriteRFPathCompensation, .leSetPrivacyMode, nil, nil, nil, nil, nil,
            ]
        ),
        (41, [nil, nil, .leGenerateDHKeyV2, nil, nil, .leReadBufferSizeV2, nil, nil]),
    ]

    @Test("Each bit of the mask stands for the command of the specification's table, and no other for any")
    func bits() {
        var mask = SupportedCommands()
        for octet in 0..<64 {
            for bit in 0..<8 {
                mask = SupportedCommands()
                mask[octet: octet, bit: bit] = true
                let expected = Self.octets.first { $0.0 == octet }?.1[bit]
                #expect(mask.opcodes == (expected.map { [$0] } ?? []), "octet \(octet), bit \(bit)")
                if let expected { #expect(mask.contains(expected)) }
            }
        }
    }

    @Test("Every command has a bit, except the one that reads the bits")
    func everyCommand() {
        for (opcode, _, _) in OpcodeTests.literals {
            let hasBit = SupportedCommands.position(of: opcode) != nil
            #expect(hasBit == (opcode != .readLocalSupportedCommands), "\(opcode)")
        }
    }

    @Test("The mask goes on air with octet 0 first")
    func bytes() throws {
        let mask = SupportedCommands([.disconnect, .leSetEventMask, .leSetPrivacyMode, .readLocalSupportedCommands])
        var out: [UInt8] = []
        mask.write(to: &out)
        var expected = [UInt8](repeating: 0, count: 64)
        expected[0] = 0x20
        expected[25] = 0x01
        expected[39] = 0x04
        #expect(out == expected)
        var bytes = out.span.bytes
        #expect(try SupportedCommands(parsing: &bytes) == mask)
    }

    @Test("Bits that Linux looks at before it sends a command")
    func kernelBits() {
        let bits: [(Opcode, Int, UInt8)] = [
            (.setEventMaskPage2, 22, 0x04), (.leReadAdvertisingPhysicalChannelTxPower, 25, 0x40),
            (.leReadTransmitPower, 38, 0x80), (.leSetDefaultPHY, 35, 0x20), (.leSetExtendedScanParameters, 37, 0x20),
            (.leSetExtendedScanEnable, 37, 0x40), (.leExtendedCreateConnection, 37, 0x80),
            (.leReadBufferSizeV2, 41, 0x20),
        ]
        for (opcode, octet, mask) in bits {
            var out: [UInt8] = []
            SupportedCommands([opcode]).write(to: &out)
            #expect(out[octet] == mask, "\(opcode)")
        }
    }

    @Test("A mask without a command that is known here is told from others")
    func knownCommands() {
        #expect(!SupportedCommands().namesKnownCommand)
        #expect(SupportedCommands([.reset]).namesKnownCommand)
        var unknown = SupportedCommands()
        unknown[octet: 0, bit: 0] = true
        #expect(unknown.namesKnownCommand == !unknown.opcodes.isEmpty)
    }
}
