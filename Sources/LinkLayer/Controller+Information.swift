import BluetoothValues
import HCI

/// Commands that only ask what the controller is. Core 6.0, Vol 4, Part E, 7.4 and parts of 7.8.
extension Controller {
    func executeInformational(_ command: Command, into actions: inout ControllerActions) -> Bool {
        switch command {
        case .readLocalVersionInformation:
            complete(
                .readLocalVersionInformation,
                returning: ReadLocalVersionInformationReturn(
                    hciVersion: configuration.version,
                    hciSubversion: configuration.subversion,
                    linkLayerVersion: configuration.version,
                    companyIdentifier: configuration.companyIdentifier,
                    linkLayerSubversion: configuration.subversion
                ),
                into: &actions
            )
        case .readLocalSupportedCommands:
            complete(
                .readLocalSupportedCommands,
                returning: ReadLocalSupportedCommandsReturn(commands: supportedCommands),
                into: &actions
            )
        case .readLocalSupportedFeatures:
            complete(
                .readLocalSupportedFeatures,
                returning: ReadLocalSupportedFeaturesReturn(features: [.brEDRNotSupported, .leSupported]),
                into: &actions
            )
        case .readBufferSize:
            // Without BR/EDR the LE buffers are the only ones.
            complete(
                .readBufferSize,
                returning: ReadBufferSizeReturn(
                    aclDataLength: configuration.aclDataLength,
                    aclPacketCount: UInt16(configuration.aclPacketCount)
                ),
                into: &actions
            )
        case .readBDADDR:
            complete(
                .readBDADDR,
                returning: ReadBDADDRReturn(address: configuration.publicAddress),
                into: &actions
            )
        case .leReadBufferSize:
            complete(
                .leReadBufferSize,
                returning: LEReadBufferSizeReturn(
                    aclDataLength: configuration.aclDataLength,
                    aclPacketCount: configuration.aclPacketCount
                ),
                into: &actions
            )
        case .leReadLocalSupportedFeatures:
            complete(
                .leReadLocalSupportedFeatures,
                returning: LEReadLocalSupportedFeaturesReturn(features: configuration.claimedFeatures),
                into: &actions
            )
        case .leReadAdvertisingPhysicalChannelTxPower:
            complete(
                .leReadAdvertisingPhysicalChannelTxPower,
                returning: LEReadAdvertisingPhysicalChannelTxPowerReturn(level: configuration.transmitPower),
                into: &actions
            )
        case .leReadTransmitPower:
            complete(
                .leReadTransmitPower,
                returning: LEReadTransmitPowerReturn(
                    minimum: configuration.transmitPower,
                    maximum: configuration.transmitPower
                ),
                into: &actions
            )
        case .leReadFilterAcceptListSize:
            complete(
                .leReadFilterAcceptListSize,
                returning: LEReadFilterAcceptListSizeReturn(size: configuration.filterAcceptListSize),
                into: &actions
            )
        case .leReadSupportedStates:
            complete(
                .leReadSupportedStates,
                returning: LEReadSupportedStatesReturn(states: Self.supportedStates),
                into: &actions
            )
        case .leReadMaximumDataLength:
            complete(
                .leReadMaximumDataLength,
                returning: LEReadMaximumDataLengthReturn(
                    transmitOctets: DataLength.mostOctets,
                    transmitTime: DataLength.mostTime,
                    receiveOctets: DataLength.mostOctets,
                    receiveTime: DataLength.mostTime
                ),
                into: &actions
            )
        case .leReadSuggestedDefaultDataLength:
            complete(
                .leReadSuggestedDefaultDataLength,
                returning: LEReadSuggestedDefaultDataLengthReturn(
                    transmitOctets: suggestedTransmitOctets,
                    transmitTime: suggestedTransmitTime
                ),
                into: &actions
            )
        case .leWriteSuggestedDefaultDataLength(let command):
            guard (27...251).contains(command.transmitOctets), (328...17_040).contains(command.transmitTime) else {
                refuse(.leWriteSuggestedDefaultDataLength, .invalidCommandParameters, into: &actions)
                return true
            }
            suggestedTransmitOctets = command.transmitOctets
            suggestedTransmitTime = command.transmitTime
            complete(.leWriteSuggestedDefaultDataLength, .success, into: &actions)
        default: return false
        }
        return true
    }

    /// Every combination of states that legacy commands can bring about: bits 0 to 41. Vol 4, Part E, 7.8.27.
    private static let supportedStates: UInt64 = 0x0000_03FF_FFFF_FFFF
}
