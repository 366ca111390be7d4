import ByteCoding
import HCI
import VirtualTime

/// A command that controllers carry out, and the method that does it.
struct CommandHandler: Sendable {
    let declaration: CommandDeclaration
    /// Reads the parameters of a whole packet and carries the command out; nothing is done if they cannot be read.
    let carryOut: @Sendable (Controller, [UInt8], Instant, inout ControllerActions) throws(DecodeError) -> Void

    init<Parameters: HCICommand>(
        _ method: @escaping @Sendable (Controller) -> (Parameters, Instant, inout ControllerActions) -> Void
    ) {
        declaration = Parameters.declaration
        carryOut = { (controller, packet, now, actions) throws(DecodeError) in
            var bytes = packet.span.bytes
            try bytes.skip(PacketIndicator.command.headerCount)
            let command = try Parameters(parsing: &bytes)
            try bytes.expectEnd()
            method(controller)(command, now, &actions)
        }
    }

    /// The handlers by the opcodes of their commands.
    static let byOpcode = Dictionary(uniqueKeysWithValues: all.map { ($0.declaration.opcode, $0) })

    /// Every command that there is for this controller. What is not listed is Unknown HCI Command; what is listed is
    /// named in the Supported Commands mask, which is a promise. Core 6.0, Vol 4, Part E, 6.27.
    static let all: [CommandHandler] = [
        CommandHandler(Controller.disconnect),
        CommandHandler(Controller.readRemoteVersionInformation),
        CommandHandler(Controller.setEventMask),
        CommandHandler(Controller.setEventMaskPage2),
        CommandHandler(Controller.reset),
        CommandHandler(Controller.readLocalName),
        CommandHandler(Controller.writeSimplePairingMode),
        CommandHandler(Controller.writeLEHostSupport),
        CommandHandler(Controller.readTransmitPowerLevel),
        CommandHandler(Controller.readLocalVersionInformation),
        CommandHandler(Controller.readLocalSupportedCommands),
        CommandHandler(Controller.readLocalSupportedFeatures),
        CommandHandler(Controller.readLocalExtendedFeatures),
        CommandHandler(Controller.readBufferSize),
        CommandHandler(Controller.readBDADDR),
        CommandHandler(Controller.readRSSI),
        CommandHandler(Controller.leSetEventMask),
        CommandHandler(Controller.leReadBufferSize),
        CommandHandler(Controller.leReadLocalSupportedFeatures),
        CommandHandler(Controller.leSetRandomAddress),
        CommandHandler(Controller.leSetAdvertisingParameters),
        CommandHandler(Controller.leReadAdvertisingPhysicalChannelTxPower),
        CommandHandler(Controller.leSetAdvertisingData),
        CommandHandler(Controller.leSetScanResponseData),
        CommandHandler(Controller.leSetAdvertisingEnable),
        CommandHandler(Controller.leSetScanParameters),
        CommandHandler(Controller.leSetScanEnable),
        CommandHandler(Controller.leCreateConnection),
        CommandHandler(Controller.leCreateConnectionCancel),
        CommandHandler(Controller.leReadFilterAcceptListSize),
        CommandHandler(Controller.leClearFilterAcceptList),
        CommandHandler(Controller.leAddDeviceToFilterAcceptList),
        CommandHandler(Controller.leRemoveDeviceFromFilterAcceptList),
        CommandHandler(Controller.leConnectionUpdate),
        CommandHandler(Controller.leSetHostChannelClassification),
        CommandHandler(Controller.leReadChannelMap),
        CommandHandler(Controller.leReadRemoteFeatures),
        CommandHandler(Controller.leEncrypt),
        CommandHandler(Controller.leRand),
        CommandHandler(Controller.leReadSupportedStates),
        CommandHandler(Controller.leEnableEncryption),
        CommandHandler(Controller.leLongTermKeyRequestReply),
        CommandHandler(Controller.leLongTermKeyRequestNegativeReply),
        CommandHandler(Controller.readAuthenticatedPayloadTimeout),
        CommandHandler(Controller.writeAuthenticatedPayloadTimeout),
        CommandHandler(Controller.leReadLocalP256PublicKey),
        CommandHandler(Controller.leGenerateDHKey),
        CommandHandler(Controller.leGenerateDHKeyV2),
        CommandHandler(Controller.leRemoteConnectionParameterRequestReply),
        CommandHandler(Controller.leRemoteConnectionParameterRequestNegativeReply),
        CommandHandler(Controller.leSetDataLength),
        CommandHandler(Controller.leReadSuggestedDefaultDataLength),
        CommandHandler(Controller.leWriteSuggestedDefaultDataLength),
        CommandHandler(Controller.leReadMaximumDataLength),
        CommandHandler(Controller.leReadTransmitPower),
        CommandHandler(Controller.leAddDeviceToResolvingList),
        CommandHandler(Controller.leRemoveDeviceFromResolvingList),
        CommandHandler(Controller.leClearResolvingList),
        CommandHandler(Controller.leReadResolvingListSize),
        CommandHandler(Controller.leReadPeerResolvableAddress),
        CommandHandler(Controller.leReadLocalResolvableAddress),
        CommandHandler(Controller.leSetAddressResolutionEnable),
        CommandHandler(Controller.leSetResolvablePrivateAddressTimeout),
        CommandHandler(Controller.leSetPrivacyMode),
        CommandHandler(Controller.leReadPHY),
        CommandHandler(Controller.leSetDefaultPHY),
        CommandHandler(Controller.leSetPHY),
    ]
}
