import BluethroatHCI
import Testing

@Suite("Opcodes")
struct OpcodeTests {
    @Test("An opcode is six bits of group and ten of command")
    func parts() {
        #expect(Opcode.leSetAdvertisingEnable.group == 8)
        #expect(Opcode.leSetAdvertisingEnable.command == 0x00A)
        #expect(Opcode(group: 8, command: 0x00A) == .leSetAdvertisingEnable)
        #expect(Opcode(group: 0x3F, command: 0x3FF).rawValue == 0xFFFF)
    }

    /// Opcodes of Core 6.0, Vol 4, Part E, 7: the group from the chapter, the command from its table.
    static let literals: [(Opcode, UInt8, UInt16)] = [
        (.disconnect, 1, 0x0006), (.readRemoteVersionInformation, 1, 0x001D),
        (.setEventMask, 3, 0x0001), (.reset, 3, 0x0003), (.writeLocalName, 3, 0x0013), (.readLocalName, 3, 0x0014),
        (.readTransmitPowerLevel, 3, 0x002D), (.setControllerToHostFlowControl, 3, 0x0031),
        (.hostBufferSize, 3, 0x0033), (.hostNumberOfCompletedPackets, 3, 0x0035), (.writeSimplePairingMode, 3, 0x0056),
        (.setEventMaskPage2, 3, 0x0063),
        (.readLEHostSupport, 3, 0x006C), (.writeLEHostSupport, 3, 0x006D),
        (.readAuthenticatedPayloadTimeout, 3, 0x007B), (.writeAuthenticatedPayloadTimeout, 3, 0x007C),
        (.readLocalVersionInformation, 4, 0x0001), (.readLocalSupportedCommands, 4, 0x0002),
        (.readLocalSupportedFeatures, 4, 0x0003), (.readLocalExtendedFeatures, 4, 0x0004),
        (.readBufferSize, 4, 0x0005), (.readBDADDR, 4, 0x0009), (.readRSSI, 5, 0x0005),
        (.leSetEventMask, 8, 0x0001), (.leReadBufferSize, 8, 0x0002), (.leReadLocalSupportedFeatures, 8, 0x0003),
        (.leSetRandomAddress, 8, 0x0005), (.leSetAdvertisingParameters, 8, 0x0006),
        (.leReadAdvertisingPhysicalChannelTxPower, 8, 0x0007), (.leSetAdvertisingData, 8, 0x0008),
        (.leSetScanResponseData, 8, 0x0009), (.leSetAdvertisingEnable, 8, 0x000A), (.leSetScanParameters, 8, 0x000B),
        (.leSetScanEnable, 8, 0x000C), (.leCreateConnection, 8, 0x000D), (.leCreateConnectionCancel, 8, 0x000E),
        (.leReadFilterAcceptListSize, 8, 0x000F), (.leClearFilterAcceptList, 8, 0x0010),
        (.leAddDeviceToFilterAcceptList, 8, 0x0011), (.leRemoveDeviceFromFilterAcceptList, 8, 0x0012),
        (.leConnectionUpdate, 8, 0x0013), (.leSetHostChannelClassification, 8, 0x0014), (.leReadChannelMap, 8, 0x0015),
        (.leReadRemoteFeatures, 8, 0x0016), (.leEncrypt, 8, 0x0017), (.leRand, 8, 0x0018),
        (.leEnableEncryption, 8, 0x0019), (.leLongTermKeyRequestReply, 8, 0x001A),
        (.leLongTermKeyRequestNegativeReply, 8, 0x001B), (.leReadSupportedStates, 8, 0x001C),
        (.leReceiverTest, 8, 0x001D), (.leTransmitterTest, 8, 0x001E), (.leTestEnd, 8, 0x001F),
        (.leRemoteConnectionParameterRequestReply, 8, 0x0020),
        (.leRemoteConnectionParameterRequestNegativeReply, 8, 0x0021), (.leSetDataLength, 8, 0x0022),
        (.leReadSuggestedDefaultDataLength, 8, 0x0023), (.leWriteSuggestedDefaultDataLength, 8, 0x0024),
        (.leReadLocalP256PublicKey, 8, 0x0025), (.leGenerateDHKey, 8, 0x0026),
        (.leAddDeviceToResolvingList, 8, 0x0027), (.leRemoveDeviceFromResolvingList, 8, 0x0028),
        (.leClearResolvingList, 8, 0x0029), (.leReadResolvingListSize, 8, 0x002A),
        (.leReadPeerResolvableAddress, 8, 0x002B), (.leReadLocalResolvableAddress, 8, 0x002C),
        (.leSetAddressResolutionEnable, 8, 0x002D), (.leSetResolvablePrivateAddressTimeout, 8, 0x002E),
        (.leReadMaximumDataLength, 8, 0x002F), (.leReadPHY, 8, 0x0030), (.leSetDefaultPHY, 8, 0x0031),
        (.leSetPHY, 8, 0x0032), (.leReceiverTestV2, 8, 0x0033), (.leTransmitterTestV2, 8, 0x0034),
        (.leSetAdvertisingSetRandomAddress, 8, 0x0035), (.leSetExtendedAdvertisingParameters, 8, 0x0036),
        (.leSetExtendedAdvertisingData, 8, 0x0037), (.leSetExtendedScanResponseData, 8, 0x0038),
        (.leSetExtendedAdvertisingEnable, 8, 0x0039), (.leReadMaximumAdvertisingDataLength, 8, 0x003A),
        (.leReadNumberOfSupportedAdvertisingSets, 8, 0x003B), (.leRemoveAdvertisingSet, 8, 0x003C),
        (.leClearAdvertisingSets, 8, 0x003D), (.leSetPeriodicAdvertisingParameters, 8, 0x003E),
        (.leSetPeriodicAdvertisingData, 8, 0x003F), (.leSetPeriodicAdvertisingEnable, 8, 0x0040),
        (.leSetExtendedScanParameters, 8, 0x0041), (.leSetExtendedScanEnable, 8, 0x0042),
        (.leExtendedCreateConnection, 8, 0x0043), (.lePeriodicAdvertisingCreateSync, 8, 0x0044),
        (.lePeriodicAdvertisingCreateSyncCancel, 8, 0x0045), (.lePeriodicAdvertisingTerminateSync, 8, 0x0046),
        (.leAddDeviceToPeriodicAdvertiserList, 8, 0x0047), (.leRemoveDeviceFromPeriodicAdvertiserList, 8, 0x0048),
        (.leClearPeriodicAdvertiserList, 8, 0x0049), (.leReadPeriodicAdvertiserListSize, 8, 0x004A),
        (.leReadTransmitPower, 8, 0x004B), (.leReadRFPathCompensation, 8, 0x004C),
        (.leWriteRFPathCompensation, 8, 0x004D), (.leSetPrivacyMode, 8, 0x004E), (.leGenerateDHKeyV2, 8, 0x005E),
        (.leReadBufferSizeV2, 8, 0x0060),
    ]

    @Test("Opcodes are those of the specification", arguments: literals)
    func literal(opcode: Opcode, group: UInt8, command: UInt16) {
        #expect(opcode == Opcode(group: group, command: command))
    }

    @Test("Opcodes have the specification's names, others their number")
    func names() {
        #expect(Opcode.leSetPHY.description == "LE Set PHY")
        #expect(Opcode.readBDADDR.description == "Read BD_ADDR")
        #expect(Opcode(rawValue: 0xFC1A).description == "opcode 0xFC1A")
        let names = Self.literals.map(\.0.description)
        #expect(Set(names).count == names.count)
        #expect(!names.contains { $0.hasPrefix("opcode") })
    }

    @Test("LE commands from Set Event Mask to Set Privacy Mode leave out the one number that is not used")
    func coverage() {
        let named = Set(Self.literals.map(\.0.rawValue))
        let missing = (0x2001...0x204E).filter { !named.contains($0) }
        #expect(missing == [0x2004])
    }
}
