import BluethroatByteCoding
import BluethroatHCI
import BluethroatVirtualTime

/// A command that controllers carry out, and the method that does it.
struct CommandHandler: Sendable {
    let declaration: CommandDeclaration
    /// Reads the parameters of a whole packet and carries the command out; nothing is done if they cannot be read.
    let carryOut:
        @Sendable (inout ControllerCore, [UInt8], Instant, inout ControllerActions) throws(DecodeError) -> Void

    init<Parameters: HCICommand>(
        _ method: @escaping @Sendable (inout ControllerCore, Parameters, Instant, inout ControllerActions) -> Void
    ) {
        declaration = Parameters.declaration
        carryOut = { (core, packet, now, actions) throws(DecodeError) in
            var bytes = packet.span.bytes
            try bytes.skip(PacketIndicator.command.headerCount)
            let command = try Parameters(parsing: &bytes)
            try bytes.expectEnd()
            method(&core, command, now, &actions)
        }
    }

    /// The place of a command in the list of all; nil for one that is not carried out. Use the entry in its place: a copy
    /// retains what is in it.
    static func place(of opcode: Opcode) -> Int? { places[opcode] }

    private static let places = OpcodeIndex(all.map(\.declaration.opcode))

    /// Every command that there is for this controller. What is not listed is Unknown HCI Command; what is listed is
    /// named in the Supported Commands mask, which is a promise. Core 6.0, Vol 4, Part E, 6.27.
    static let all: [CommandHandler] = [
        CommandHandler { $0.disconnect($1, at: $2, into: &$3) },
        CommandHandler { $0.readRemoteVersionInformation($1, at: $2, into: &$3) },
        CommandHandler { $0.setEventMask($1, at: $2, into: &$3) },
        CommandHandler { $0.setEventMaskPage2($1, at: $2, into: &$3) },
        CommandHandler { $0.reset($1, at: $2, into: &$3) },
        CommandHandler { $0.readLocalName($1, at: $2, into: &$3) },
        CommandHandler { $0.writeSimplePairingMode($1, at: $2, into: &$3) },
        CommandHandler { $0.writeLEHostSupport($1, at: $2, into: &$3) },
        CommandHandler { $0.readTransmitPowerLevel($1, at: $2, into: &$3) },
        CommandHandler { $0.readLocalVersionInformation($1, at: $2, into: &$3) },
        CommandHandler { $0.readLocalSupportedCommands($1, at: $2, into: &$3) },
        CommandHandler { $0.readLocalSupportedFeatures($1, at: $2, into: &$3) },
        CommandHandler { $0.readLocalExtendedFeatures($1, at: $2, into: &$3) },
        CommandHandler { $0.readBufferSize($1, at: $2, into: &$3) },
        CommandHandler { $0.readBDADDR($1, at: $2, into: &$3) },
        CommandHandler { $0.readRSSI($1, at: $2, into: &$3) },
        CommandHandler { $0.leSetEventMask($1, at: $2, into: &$3) },
        CommandHandler { $0.leReadBufferSize($1, at: $2, into: &$3) },
        CommandHandler { $0.leReadLocalSupportedFeatures($1, at: $2, into: &$3) },
        CommandHandler { $0.leSetRandomAddress($1, at: $2, into: &$3) },
        CommandHandler { $0.leSetAdvertisingParameters($1, at: $2, into: &$3) },
        CommandHandler { $0.leReadAdvertisingPhysicalChannelTxPower($1, at: $2, into: &$3) },
        CommandHandler { $0.leSetAdvertisingData($1, at: $2, into: &$3) },
        CommandHandler { $0.leSetScanResponseData($1, at: $2, into: &$3) },
        CommandHandler { $0.leSetAdvertisingEnable($1, at: $2, into: &$3) },
        CommandHandler { $0.leSetScanParameters($1, at: $2, into: &$3) },
        CommandHandler { $0.leSetScanEnable($1, at: $2, into: &$3) },
        CommandHandler { $0.leCreateConnection($1, at: $2, into: &$3) },
        CommandHandler { $0.leCreateConnectionCancel($1, at: $2, into: &$3) },
        CommandHandler { $0.leReadFilterAcceptListSize($1, at: $2, into: &$3) },
        CommandHandler { $0.leClearFilterAcceptList($1, at: $2, into: &$3) },
        CommandHandler { $0.leAddDeviceToFilterAcceptList($1, at: $2, into: &$3) },
        CommandHandler { $0.leRemoveDeviceFromFilterAcceptList($1, at: $2, into: &$3) },
        CommandHandler { $0.leConnectionUpdate($1, at: $2, into: &$3) },
        CommandHandler { $0.leSetHostChannelClassification($1, at: $2, into: &$3) },
        CommandHandler { $0.leReadChannelMap($1, at: $2, into: &$3) },
        CommandHandler { $0.leReadRemoteFeatures($1, at: $2, into: &$3) },
        CommandHandler { $0.leEncrypt($1, at: $2, into: &$3) },
        CommandHandler { $0.leRand($1, at: $2, into: &$3) },
        CommandHandler { $0.leReadSupportedStates($1, at: $2, into: &$3) },
        CommandHandler { $0.leEnableEncryption($1, at: $2, into: &$3) },
        CommandHandler { $0.leLongTermKeyRequestReply($1, at: $2, into: &$3) },
        CommandHandler { $0.leLongTermKeyRequestNegativeReply($1, at: $2, into: &$3) },
        CommandHandler { $0.readAuthenticatedPayloadTimeout($1, at: $2, into: &$3) },
        CommandHandler { $0.writeAuthenticatedPayloadTimeout($1, at: $2, into: &$3) },
        CommandHandler { $0.leReadLocalP256PublicKey($1, at: $2, into: &$3) },
        CommandHandler { $0.leGenerateDHKey($1, at: $2, into: &$3) },
        CommandHandler { $0.leGenerateDHKeyV2($1, at: $2, into: &$3) },
        CommandHandler { $0.leRemoteConnectionParameterRequestReply($1, at: $2, into: &$3) },
        CommandHandler { $0.leRemoteConnectionParameterRequestNegativeReply($1, at: $2, into: &$3) },
        CommandHandler { $0.leSetDataLength($1, at: $2, into: &$3) },
        CommandHandler { $0.leReadSuggestedDefaultDataLength($1, at: $2, into: &$3) },
        CommandHandler { $0.leWriteSuggestedDefaultDataLength($1, at: $2, into: &$3) },
        CommandHandler { $0.leReadMaximumDataLength($1, at: $2, into: &$3) },
        CommandHandler { $0.leReadTransmitPower($1, at: $2, into: &$3) },
        CommandHandler { $0.leAddDeviceToResolvingList($1, at: $2, into: &$3) },
        CommandHandler { $0.leRemoveDeviceFromResolvingList($1, at: $2, into: &$3) },
        CommandHandler { $0.leClearResolvingList($1, at: $2, into: &$3) },
        CommandHandler { $0.leReadResolvingListSize($1, at: $2, into: &$3) },
        CommandHandler { $0.leReadPeerResolvableAddress($1, at: $2, into: &$3) },
        CommandHandler { $0.leReadLocalResolvableAddress($1, at: $2, into: &$3) },
        CommandHandler { $0.leSetAddressResolutionEnable($1, at: $2, into: &$3) },
        CommandHandler { $0.leSetResolvablePrivateAddressTimeout($1, at: $2, into: &$3) },
        CommandHandler { $0.leSetPrivacyMode($1, at: $2, into: &$3) },
        CommandHandler { $0.leReadPHY($1, at: $2, into: &$3) },
        CommandHandler { $0.leSetDefaultPHY($1, at: $2, into: &$3) },
        CommandHandler { $0.leSetPHY($1, at: $2, into: &$3) },
    ]
}
