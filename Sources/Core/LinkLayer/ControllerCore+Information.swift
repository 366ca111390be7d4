import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatVirtualTime

/// Commands that only ask what the controller is. Core 6.0, Vol 4, Part E, 7.4 and parts of 7.8.
extension ControllerCore {
    mutating func readLocalVersionInformation(
        _ command: ReadLocalVersionInformation,
        at now: Instant,
        into actions: inout ControllerActions
    ) {
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
    }

    mutating func readLocalSupportedCommands(
        _ command: ReadLocalSupportedCommands,
        at now: Instant,
        into actions: inout ControllerActions
    ) {
        complete(
            .readLocalSupportedCommands,
            returning: ReadLocalSupportedCommandsReturn(commands: supportedCommands),
            into: &actions
        )
    }

    mutating func readLocalSupportedFeatures(
        _ command: ReadLocalSupportedFeatures,
        at now: Instant,
        into actions: inout ControllerActions
    ) {
        complete(
            .readLocalSupportedFeatures,
            returning: ReadLocalSupportedFeaturesReturn(features: Self.lmpFeatures),
            into: &actions
        )
    }

    mutating func readBufferSize(_ command: ReadBufferSize, at now: Instant, into actions: inout ControllerActions) {
        // Without BR/EDR the LE buffers are the only ones.
        complete(
            .readBufferSize,
            returning: ReadBufferSizeReturn(
                aclDataLength: configuration.aclDataLength,
                aclPacketCount: UInt16(configuration.aclPacketCount)
            ),
            into: &actions
        )
    }

    mutating func readBDADDR(_ command: ReadBDADDR, at now: Instant, into actions: inout ControllerActions) {
        complete(
            .readBDADDR,
            returning: ReadBDADDRReturn(address: configuration.publicAddress),
            into: &actions
        )
    }

    mutating func leReadBufferSize(_ command: LEReadBufferSize, at now: Instant, into actions: inout ControllerActions)
    {
        complete(
            .leReadBufferSize,
            returning: LEReadBufferSizeReturn(
                aclDataLength: configuration.aclDataLength,
                aclPacketCount: configuration.aclPacketCount
            ),
            into: &actions
        )
    }

    mutating func leReadLocalSupportedFeatures(
        _ command: LEReadLocalSupportedFeatures,
        at now: Instant,
        into actions: inout ControllerActions
    ) {
        complete(
            .leReadLocalSupportedFeatures,
            returning: LEReadLocalSupportedFeaturesReturn(features: configuration.claimedFeatures),
            into: &actions
        )
    }

    mutating func leReadAdvertisingPhysicalChannelTxPower(
        _ command: LEReadAdvertisingPhysicalChannelTxPower,
        at now: Instant,
        into actions: inout ControllerActions
    ) {
        complete(
            .leReadAdvertisingPhysicalChannelTxPower,
            returning: LEReadAdvertisingPhysicalChannelTxPowerReturn(level: configuration.transmitPower),
            into: &actions
        )
    }

    mutating func leReadTransmitPower(
        _ command: LEReadTransmitPower,
        at now: Instant,
        into actions: inout ControllerActions
    ) {
        complete(
            .leReadTransmitPower,
            returning: LEReadTransmitPowerReturn(
                minimum: configuration.transmitPower,
                maximum: configuration.transmitPower
            ),
            into: &actions
        )
    }

    mutating func leReadFilterAcceptListSize(
        _ command: LEReadFilterAcceptListSize,
        at now: Instant,
        into actions: inout ControllerActions
    ) {
        complete(
            .leReadFilterAcceptListSize,
            returning: LEReadFilterAcceptListSizeReturn(size: configuration.filterAcceptListSize),
            into: &actions
        )
    }

    mutating func leReadSupportedStates(
        _ command: LEReadSupportedStates,
        at now: Instant,
        into actions: inout ControllerActions
    ) {
        complete(
            .leReadSupportedStates,
            returning: LEReadSupportedStatesReturn(states: Self.supportedStates),
            into: &actions
        )
    }

    mutating func leReadMaximumDataLength(
        _ command: LEReadMaximumDataLength,
        at now: Instant,
        into actions: inout ControllerActions
    ) {
        complete(
            .leReadMaximumDataLength,
            returning: LEReadMaximumDataLengthReturn(
                transmitOctets: configuration.mostDataOctets,
                transmitTime: DataLength.mostTime,
                receiveOctets: configuration.mostDataOctets,
                receiveTime: DataLength.mostTime
            ),
            into: &actions
        )
    }

    mutating func leReadSuggestedDefaultDataLength(
        _ command: LEReadSuggestedDefaultDataLength,
        at now: Instant,
        into actions: inout ControllerActions
    ) {
        complete(
            .leReadSuggestedDefaultDataLength,
            returning: LEReadSuggestedDefaultDataLengthReturn(
                transmitOctets: suggestedTransmitOctets,
                transmitTime: suggestedTransmitTime
            ),
            into: &actions
        )
    }

    mutating func leWriteSuggestedDefaultDataLength(
        _ command: LEWriteSuggestedDefaultDataLength,
        at now: Instant,
        into actions: inout ControllerActions
    ) {
        guard (27...251).contains(command.transmitOctets), (328...17_040).contains(command.transmitTime) else {
            return refuse(.leWriteSuggestedDefaultDataLength, .invalidCommandParameters, into: &actions)
        }
        suggestedTransmitOctets = command.transmitOctets
        suggestedTransmitTime = command.transmitTime
        complete(.leWriteSuggestedDefaultDataLength, .success, into: &actions)
    }

    /// Page 0 of the LMP features, the only one. Vol 2, Part C, 3.3.
    static let lmpFeatures: LMPFeatures = [.brEDRNotSupported, .leSupported]

    /// Every combination of states that legacy commands can bring about: bits 0 to 41. Vol 4, Part E, 7.8.27.
    private static let supportedStates: UInt64 = 0x0000_03FF_FFFF_FFFF
}
