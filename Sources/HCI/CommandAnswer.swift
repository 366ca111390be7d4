/// How a controller answers a command. Core 6.0, Vol 4, Part E, 4.4 and 4.5.
public enum CommandAnswer: Hashable, Sendable {
    /// With Command Complete once it is done; `returnCount` bytes of return parameters, status included, of which the
    /// first `echoed` after the status repeat the command's first (a connection handle, a page number).
    case commandComplete(returnCount: Int, echoed: Int)
    /// With Command Status at once; an event follows when it is done.
    case commandStatus
    /// Not at all, unless there is something to complain about; then with Command Complete.
    case nothing
}

extension Opcode {
    /// How a controller answers this command; nil for commands unknown here.
    public var answer: CommandAnswer? {
        switch self {
        case .setEventMask,
            .reset,
            .setControllerToHostFlowControl,
            .hostBufferSize,
            .setEventMaskPage2,
            .leSetEventMask,
            .leSetRandomAddress,
            .leClearFilterAcceptList,
            .leAddDeviceToFilterAcceptList,
            .leRemoveDeviceFromFilterAcceptList,
            .leSetHostChannelClassification,
            .leWriteRFPathCompensation,
            .leSetAdvertisingParameters,
            .leSetAdvertisingData,
            .leSetScanResponseData,
            .leSetAdvertisingEnable,
            .leSetScanParameters,
            .leSetScanEnable,
            .leCreateConnectionCancel,
            .leWriteSuggestedDefaultDataLength,
            .leSetDefaultPHY,
            .leAddDeviceToResolvingList,
            .leRemoveDeviceFromResolvingList,
            .leClearResolvingList,
            .leSetAddressResolutionEnable,
            .leSetResolvablePrivateAddressTimeout,
            .leSetPrivacyMode,
            .leSetAdvertisingSetRandomAddress,
            .leSetExtendedAdvertisingData,
            .leSetExtendedScanResponseData,
            .leSetExtendedAdvertisingEnable,
            .leRemoveAdvertisingSet,
            .leClearAdvertisingSets,
            .leSetExtendedScanParameters,
            .leSetExtendedScanEnable:
            .commandComplete(returnCount: 1, echoed: 0)
        case .disconnect,
            .readRemoteVersionInformation,
            .leCreateConnection,
            .leConnectionUpdate,
            .leReadRemoteFeatures,
            .leSetPHY,
            .leEnableEncryption,
            .leReadLocalP256PublicKey,
            .leGenerateDHKey,
            .leGenerateDHKeyV2,
            .leExtendedCreateConnection:
            .commandStatus
        case .writeAuthenticatedPayloadTimeout,
            .leRemoteConnectionParameterRequestReply,
            .leRemoteConnectionParameterRequestNegativeReply,
            .leSetDataLength,
            .leLongTermKeyRequestReply,
            .leLongTermKeyRequestNegativeReply:
            .commandComplete(returnCount: 3, echoed: 2)
        case .readLocalVersionInformation,
            .readLocalSupportedFeatures,
            .leReadLocalSupportedFeatures,
            .leRand,
            .leReadSupportedStates,
            .leReadMaximumDataLength:
            .commandComplete(returnCount: 9, echoed: 0)
        case .leReadFilterAcceptListSize,
            .leReadAdvertisingPhysicalChannelTxPower,
            .leReadResolvingListSize,
            .leSetExtendedAdvertisingParameters,
            .leReadNumberOfSupportedAdvertisingSets:
            .commandComplete(returnCount: 2, echoed: 0)
        case .readBDADDR,
            .leReadBufferSizeV2,
            .leReadPeerResolvableAddress,
            .leReadLocalResolvableAddress:
            .commandComplete(returnCount: 7, echoed: 0)
        case .readTransmitPowerLevel,
            .readRSSI:
            .commandComplete(returnCount: 4, echoed: 2)
        case .readAuthenticatedPayloadTimeout,
            .leReadPHY:
            .commandComplete(returnCount: 5, echoed: 2)
        case .leReadTransmitPower,
            .leReadMaximumAdvertisingDataLength:
            .commandComplete(returnCount: 3, echoed: 0)
        case .leReadRFPathCompensation,
            .leReadSuggestedDefaultDataLength:
            .commandComplete(returnCount: 5, echoed: 0)
        case .hostNumberOfCompletedPackets:
            .nothing
        case .readLocalSupportedCommands:
            .commandComplete(returnCount: 65, echoed: 0)
        case .readLocalExtendedFeatures:
            .commandComplete(returnCount: 11, echoed: 1)
        case .readBufferSize:
            .commandComplete(returnCount: 8, echoed: 0)
        case .leReadBufferSize:
            .commandComplete(returnCount: 4, echoed: 0)
        case .leEncrypt:
            .commandComplete(returnCount: 17, echoed: 0)
        case .leReadChannelMap:
            .commandComplete(returnCount: 8, echoed: 2)
        default: nil
        }
    }
}
