import BluetoothCrypto
import BluetoothValues
import HCI
import VirtualTime

/// Commands: which there are, and who carries them out. What is not listed here is Unknown HCI Command, and what is
/// listed is answered in full: the Supported Commands mask is a promise. Core 6.0, Vol 4, Part E, 6.27.
extension Controller {
    static let supportedOpcodes: [Opcode] = [
        .disconnect, .readRemoteVersionInformation,
        .setEventMask, .setEventMaskPage2, .reset, .readTransmitPowerLevel,
        .readLocalVersionInformation, .readLocalSupportedCommands, .readLocalSupportedFeatures, .readBufferSize,
        .readBDADDR, .readRSSI,
        .leSetEventMask, .leReadBufferSize, .leReadLocalSupportedFeatures, .leSetRandomAddress,
        .leSetAdvertisingParameters, .leReadAdvertisingPhysicalChannelTxPower, .leSetAdvertisingData,
        .leSetScanResponseData, .leSetAdvertisingEnable, .leSetScanParameters, .leSetScanEnable,
        .leCreateConnection, .leCreateConnectionCancel, .leReadFilterAcceptListSize, .leClearFilterAcceptList,
        .leAddDeviceToFilterAcceptList, .leRemoveDeviceFromFilterAcceptList, .leConnectionUpdate,
        .leSetHostChannelClassification, .leReadChannelMap, .leReadRemoteFeatures, .leEncrypt, .leRand,
        .leReadSupportedStates, .leEnableEncryption, .leLongTermKeyRequestReply, .leLongTermKeyRequestNegativeReply,
        .readAuthenticatedPayloadTimeout, .writeAuthenticatedPayloadTimeout, .leReadLocalP256PublicKey,
        .leGenerateDHKey, .leGenerateDHKeyV2, .leRemoteConnectionParameterRequestReply,
        .leRemoteConnectionParameterRequestNegativeReply, .leSetDataLength, .leReadSuggestedDefaultDataLength,
        .leWriteSuggestedDefaultDataLength, .leReadMaximumDataLength, .leReadTransmitPower,
        .leAddDeviceToResolvingList, .leRemoveDeviceFromResolvingList, .leClearResolvingList,
        .leReadResolvingListSize, .leReadPeerResolvableAddress, .leReadLocalResolvableAddress,
        .leSetAddressResolutionEnable, .leSetResolvablePrivateAddressTimeout, .leSetPrivacyMode,
        .leReadPHY, .leSetDefaultPHY, .leSetPHY,
    ]

    private static let allCommands = SupportedCommands(supportedOpcodes)

    var supportedCommands: SupportedCommands {
        configuration.claimedFeatures == ControllerConfiguration.allFeatures
            ? Self.allCommands : SupportedCommands(Self.supportedOpcodes.filter(offers))
    }

    /// Whether a command that there is belongs to what this controller can do.
    private func offers(_ opcode: Opcode) -> Bool { opcode.feature.map(configuration.claimedFeatures.contains) ?? true }

    func execute(_ command: Command, at now: Instant, into actions: inout ControllerActions) {
        guard offers(command.opcode) else { return unknown(command.opcode, into: &actions) }
        switch command {
        case .reset: reset(into: &actions)
        case .setEventMask(let command):
            masks.events = command.mask
            complete(.setEventMask, .success, into: &actions)
        case .setEventMaskPage2(let command):
            masks.page2 = command.mask
            complete(.setEventMaskPage2, .success, into: &actions)
        case .leSetEventMask(let command):
            masks.le = command.mask
            complete(.leSetEventMask, .success, into: &actions)
        case .leEncrypt(let command): encrypt(command, into: &actions)
        case .leRand: complete(.leRand, returning: LERandReturn(number: random.secret.next()), into: &actions)
        default:
            guard
                executeInformational(command, into: &actions)
                    || executeDiscovery(command, at: now, into: &actions)
                    || executeConnection(command, at: now, into: &actions)
                    || executeEncryption(command, at: now, into: &actions)
                    || executePHY(command, at: now, into: &actions)
                    || executePrivacy(command, at: now, into: &actions)
            else { return unknown(command.opcode, into: &actions) }
        }
    }

    /// A command that could not be read: the answer has the form that the host expects, with an error.
    func refuseMalformed(_ error: CommandDecodeError, packet: [UInt8], into actions: inout ControllerActions) {
        guard let opcode = error.opcode else { return }
        // Not the mask: Read Local Supported Commands has no bit in it.
        guard Self.supportedOpcodes.contains(opcode), offers(opcode) else { return unknown(opcode, into: &actions) }
        refuse(opcode, .invalidCommandParameters, parameters: packet.dropFirst(4), into: &actions)
    }

    // MARK: Answers

    func complete(_ opcode: Opcode, _ status: ControllerError, into actions: inout ControllerActions) {
        complete(opcode, returning: StatusReturn(status: status), into: &actions)
    }

    func complete(_ opcode: Opcode, returning parameters: some ReturnParameters, into actions: inout ControllerActions)
    {
        send(.commandComplete(CommandComplete(opcode: opcode, returning: parameters)), into: &actions)
    }

    func status(_ opcode: Opcode, _ status: ControllerError, into actions: inout ControllerActions) {
        send(.commandStatus(CommandStatus(status: status, opcode: opcode)), into: &actions)
    }

    /// An error in the form that belongs to the command; `parameters` are the command's own, of which some are echoed.
    func refuse(
        _ opcode: Opcode,
        _ error: ControllerError,
        parameters: some Collection<UInt8> = [],
        into actions: inout ControllerActions
    ) {
        switch opcode.answer {
        case .commandComplete:
            send(
                .commandComplete(CommandComplete(refusing: opcode, with: error, parameters: parameters)),
                into: &actions
            )
        case .commandStatus, .nothing, nil: status(opcode, error, into: &actions)
        }
    }

    private func unknown(_ opcode: Opcode, into actions: inout ControllerActions) {
        status(opcode, .unknownCommand, into: &actions)
    }

    // MARK: Commands that need nothing else

    /// Everything as after power-up, but for the address; links end without a word. Vol 4, Part E, 7.3.2.
    private func reset(into actions: inout ControllerActions) {
        if radio != .idle { actions.radio.append(.stop) }
        radio = .idle
        turnaround = nil
        connections = []
        connectionCount = 0
        bufferedPackets = 0
        advertiser = Advertiser()
        scanner = nil
        scanParameters = ScanParameters()
        initiator = nil
        keyPair = nil
        observationOpening = nil
        observation = .listening
        masks = EventMasks()
        randomAddress = nil
        filterAcceptList = FilterAcceptList()
        resolvingList = ResolvingList()
        hostChannels = .all
        suggestedTransmitOctets = DataLength.leastOctets
        suggestedTransmitTime = DataLength.leastTime
        defaultPHYs = PHYPreference()
        complete(.reset, .success, into: &actions)
    }

    /// LE Encrypt. Vol 4, Part E, 7.8.22.
    private func encrypt(_ command: LEEncrypt, into actions: inout ControllerActions) {
        guard let key = Block128(littleEndian: command.key), let plaintext = Block128(littleEndian: command.plaintext)
        else { return refuse(.leEncrypt, .invalidCommandParameters, into: &actions) }
        let ciphertext = AESBlock.encrypt(key: key, plaintext: plaintext)
        complete(.leEncrypt, returning: LEEncryptReturn(ciphertext: ciphertext.littleEndianBytes), into: &actions)
    }
}
