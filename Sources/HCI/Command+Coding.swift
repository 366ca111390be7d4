public import ByteCoding

extension Command {
    /// The parameters that belong to an opcode; all bytes must belong to them.
    public init(_ opcode: Opcode, parameters bytes: inout RawSpan) throws(DecodeError) {
        self = try Self.parse(opcode, &bytes)
        try bytes.expectEnd()
    }

    private static func parse(_ opcode: Opcode, _ bytes: inout RawSpan) throws(DecodeError) -> Command {
        switch opcode {
        case .disconnect: .disconnect(try Disconnect(parsing: &bytes))
        case .readRemoteVersionInformation:
            .readRemoteVersionInformation(try ReadRemoteVersionInformation(parsing: &bytes))
        case .setEventMask: .setEventMask(try SetEventMask(parsing: &bytes))
        case .reset: .reset
        case .readTransmitPowerLevel: .readTransmitPowerLevel(try ReadTransmitPowerLevel(parsing: &bytes))
        case .setControllerToHostFlowControl:
            .setControllerToHostFlowControl(try SetControllerToHostFlowControl(parsing: &bytes))
        case .hostBufferSize: .hostBufferSize(try HostBufferSize(parsing: &bytes))
        case .hostNumberOfCompletedPackets:
            .hostNumberOfCompletedPackets(try HostNumberOfCompletedPackets(parsing: &bytes))
        case .setEventMaskPage2: .setEventMaskPage2(try SetEventMaskPage2(parsing: &bytes))
        case .readAuthenticatedPayloadTimeout:
            .readAuthenticatedPayloadTimeout(try ReadAuthenticatedPayloadTimeout(parsing: &bytes))
        case .writeAuthenticatedPayloadTimeout:
            .writeAuthenticatedPayloadTimeout(try WriteAuthenticatedPayloadTimeout(parsing: &bytes))
        case .readLocalVersionInformation: .readLocalVersionInformation
        case .readLocalSupportedCommands: .readLocalSupportedCommands
        case .readLocalSupportedFeatures: .readLocalSupportedFeatures
        case .readLocalExtendedFeatures: .readLocalExtendedFeatures(try ReadLocalExtendedFeatures(parsing: &bytes))
        case .readBufferSize: .readBufferSize
        case .readBDADDR: .readBDADDR
        case .readRSSI: .readRSSI(try ReadRSSI(parsing: &bytes))
        case .leSetEventMask: .leSetEventMask(try LESetEventMask(parsing: &bytes))
        case .leReadBufferSize: .leReadBufferSize
        case .leReadBufferSizeV2: .leReadBufferSizeV2
        case .leReadLocalSupportedFeatures: .leReadLocalSupportedFeatures
        case .leSetRandomAddress: .leSetRandomAddress(try LESetRandomAddress(parsing: &bytes))
        case .leReadFilterAcceptListSize: .leReadFilterAcceptListSize
        case .leClearFilterAcceptList: .leClearFilterAcceptList
        case .leAddDeviceToFilterAcceptList:
            .leAddDeviceToFilterAcceptList(try LEAddDeviceToFilterAcceptList(parsing: &bytes))
        case .leRemoveDeviceFromFilterAcceptList:
            .leRemoveDeviceFromFilterAcceptList(try LERemoveDeviceFromFilterAcceptList(parsing: &bytes))
        case .leSetHostChannelClassification:
            .leSetHostChannelClassification(try LESetHostChannelClassification(parsing: &bytes))
        case .leEncrypt: .leEncrypt(try LEEncrypt(parsing: &bytes))
        case .leRand: .leRand
        case .leReadSupportedStates: .leReadSupportedStates
        case .leReadTransmitPower: .leReadTransmitPower
        case .leReadRFPathCompensation: .leReadRFPathCompensation
        case .leWriteRFPathCompensation: .leWriteRFPathCompensation(try LEWriteRFPathCompensation(parsing: &bytes))
        case .leSetAdvertisingParameters: .leSetAdvertisingParameters(try LESetAdvertisingParameters(parsing: &bytes))
        case .leReadAdvertisingPhysicalChannelTxPower: .leReadAdvertisingPhysicalChannelTxPower
        case .leSetAdvertisingData: .leSetAdvertisingData(try LESetAdvertisingData(parsing: &bytes))
        case .leSetScanResponseData: .leSetScanResponseData(try LESetScanResponseData(parsing: &bytes))
        case .leSetAdvertisingEnable: .leSetAdvertisingEnable(try LESetAdvertisingEnable(parsing: &bytes))
        case .leSetScanParameters: .leSetScanParameters(try LESetScanParameters(parsing: &bytes))
        case .leSetScanEnable: .leSetScanEnable(try LESetScanEnable(parsing: &bytes))
        case .leCreateConnection: .leCreateConnection(try LECreateConnection(parsing: &bytes))
        case .leCreateConnectionCancel: .leCreateConnectionCancel
        case .leConnectionUpdate: .leConnectionUpdate(try LEConnectionUpdate(parsing: &bytes))
        case .leReadChannelMap: .leReadChannelMap(try LEReadChannelMap(parsing: &bytes))
        case .leReadRemoteFeatures: .leReadRemoteFeatures(try LEReadRemoteFeatures(parsing: &bytes))
        case .leRemoteConnectionParameterRequestReply:
            .leRemoteConnectionParameterRequestReply(try LERemoteConnectionParameterRequestReply(parsing: &bytes))
        case .leRemoteConnectionParameterRequestNegativeReply:
            .leRemoteConnectionParameterRequestNegativeReply(
                try LERemoteConnectionParameterRequestNegativeReply(parsing: &bytes)
            )
        case .leSetDataLength: .leSetDataLength(try LESetDataLength(parsing: &bytes))
        case .leReadSuggestedDefaultDataLength: .leReadSuggestedDefaultDataLength
        case .leWriteSuggestedDefaultDataLength:
            .leWriteSuggestedDefaultDataLength(try LEWriteSuggestedDefaultDataLength(parsing: &bytes))
        case .leReadMaximumDataLength: .leReadMaximumDataLength
        case .leReadPHY: .leReadPHY(try LEReadPHY(parsing: &bytes))
        case .leSetDefaultPHY: .leSetDefaultPHY(try LESetDefaultPHY(parsing: &bytes))
        case .leSetPHY: .leSetPHY(try LESetPHY(parsing: &bytes))
        case .leEnableEncryption: .leEnableEncryption(try LEEnableEncryption(parsing: &bytes))
        case .leLongTermKeyRequestReply: .leLongTermKeyRequestReply(try LELongTermKeyRequestReply(parsing: &bytes))
        case .leLongTermKeyRequestNegativeReply:
            .leLongTermKeyRequestNegativeReply(try LELongTermKeyRequestNegativeReply(parsing: &bytes))
        case .leReadLocalP256PublicKey: .leReadLocalP256PublicKey
        case .leGenerateDHKey: .leGenerateDHKey(try LEGenerateDHKey(parsing: &bytes))
        case .leGenerateDHKeyV2: .leGenerateDHKeyV2(try LEGenerateDHKeyV2(parsing: &bytes))
        case .leAddDeviceToResolvingList: .leAddDeviceToResolvingList(try LEAddDeviceToResolvingList(parsing: &bytes))
        case .leRemoveDeviceFromResolvingList:
            .leRemoveDeviceFromResolvingList(try LERemoveDeviceFromResolvingList(parsing: &bytes))
        case .leClearResolvingList: .leClearResolvingList
        case .leReadResolvingListSize: .leReadResolvingListSize
        case .leReadPeerResolvableAddress:
            .leReadPeerResolvableAddress(try LEReadPeerResolvableAddress(parsing: &bytes))
        case .leReadLocalResolvableAddress:
            .leReadLocalResolvableAddress(try LEReadLocalResolvableAddress(parsing: &bytes))
        case .leSetAddressResolutionEnable:
            .leSetAddressResolutionEnable(try LESetAddressResolutionEnable(parsing: &bytes))
        case .leSetResolvablePrivateAddressTimeout:
            .leSetResolvablePrivateAddressTimeout(try LESetResolvablePrivateAddressTimeout(parsing: &bytes))
        case .leSetPrivacyMode: .leSetPrivacyMode(try LESetPrivacyMode(parsing: &bytes))
        case .leSetAdvertisingSetRandomAddress:
            .leSetAdvertisingSetRandomAddress(try LESetAdvertisingSetRandomAddress(parsing: &bytes))
        case .leSetExtendedAdvertisingParameters:
            .leSetExtendedAdvertisingParameters(try LESetExtendedAdvertisingParameters(parsing: &bytes))
        case .leSetExtendedAdvertisingData:
            .leSetExtendedAdvertisingData(try LESetExtendedAdvertisingData(parsing: &bytes))
        case .leSetExtendedScanResponseData:
            .leSetExtendedScanResponseData(try LESetExtendedScanResponseData(parsing: &bytes))
        case .leSetExtendedAdvertisingEnable:
            .leSetExtendedAdvertisingEnable(try LESetExtendedAdvertisingEnable(parsing: &bytes))
        case .leReadMaximumAdvertisingDataLength: .leReadMaximumAdvertisingDataLength
        case .leReadNumberOfSupportedAdvertisingSets: .leReadNumberOfSupportedAdvertisingSets
        case .leRemoveAdvertisingSet: .leRemoveAdvertisingSet(try LERemoveAdvertisingSet(parsing: &bytes))
        case .leClearAdvertisingSets: .leClearAdvertisingSets
        case .leSetExtendedScanParameters:
            .leSetExtendedScanParameters(try LESetExtendedScanParameters(parsing: &bytes))
        case .leSetExtendedScanEnable: .leSetExtendedScanEnable(try LESetExtendedScanEnable(parsing: &bytes))
        case .leExtendedCreateConnection: .leExtendedCreateConnection(try LEExtendedCreateConnection(parsing: &bytes))
        default: .unknown(opcode, parameters: bytes.takeRest())
        }
    }

    /// Which command this is.
    public var opcode: Opcode {
        switch self {
        case .disconnect: .disconnect
        case .readRemoteVersionInformation: .readRemoteVersionInformation
        case .setEventMask: .setEventMask
        case .reset: .reset
        case .readTransmitPowerLevel: .readTransmitPowerLevel
        case .setControllerToHostFlowControl: .setControllerToHostFlowControl
        case .hostBufferSize: .hostBufferSize
        case .hostNumberOfCompletedPackets: .hostNumberOfCompletedPackets
        case .setEventMaskPage2: .setEventMaskPage2
        case .readAuthenticatedPayloadTimeout: .readAuthenticatedPayloadTimeout
        case .writeAuthenticatedPayloadTimeout: .writeAuthenticatedPayloadTimeout
        case .readLocalVersionInformation: .readLocalVersionInformation
        case .readLocalSupportedCommands: .readLocalSupportedCommands
        case .readLocalSupportedFeatures: .readLocalSupportedFeatures
        case .readLocalExtendedFeatures: .readLocalExtendedFeatures
        case .readBufferSize: .readBufferSize
        case .readBDADDR: .readBDADDR
        case .readRSSI: .readRSSI
        case .leSetEventMask: .leSetEventMask
        case .leReadBufferSize: .leReadBufferSize
        case .leReadBufferSizeV2: .leReadBufferSizeV2
        case .leReadLocalSupportedFeatures: .leReadLocalSupportedFeatures
        case .leSetRandomAddress: .leSetRandomAddress
        case .leReadFilterAcceptListSize: .leReadFilterAcceptListSize
        case .leClearFilterAcceptList: .leClearFilterAcceptList
        case .leAddDeviceToFilterAcceptList: .leAddDeviceToFilterAcceptList
        case .leRemoveDeviceFromFilterAcceptList: .leRemoveDeviceFromFilterAcceptList
        case .leSetHostChannelClassification: .leSetHostChannelClassification
        case .leEncrypt: .leEncrypt
        case .leRand: .leRand
        case .leReadSupportedStates: .leReadSupportedStates
        case .leReadTransmitPower: .leReadTransmitPower
        case .leReadRFPathCompensation: .leReadRFPathCompensation
        case .leWriteRFPathCompensation: .leWriteRFPathCompensation
        case .leSetAdvertisingParameters: .leSetAdvertisingParameters
        case .leReadAdvertisingPhysicalChannelTxPower: .leReadAdvertisingPhysicalChannelTxPower
        case .leSetAdvertisingData: .leSetAdvertisingData
        case .leSetScanResponseData: .leSetScanResponseData
        case .leSetAdvertisingEnable: .leSetAdvertisingEnable
        case .leSetScanParameters: .leSetScanParameters
        case .leSetScanEnable: .leSetScanEnable
        case .leCreateConnection: .leCreateConnection
        case .leCreateConnectionCancel: .leCreateConnectionCancel
        case .leConnectionUpdate: .leConnectionUpdate
        case .leReadChannelMap: .leReadChannelMap
        case .leReadRemoteFeatures: .leReadRemoteFeatures
        case .leRemoteConnectionParameterRequestReply: .leRemoteConnectionParameterRequestReply
        case .leRemoteConnectionParameterRequestNegativeReply: .leRemoteConnectionParameterRequestNegativeReply
        case .leSetDataLength: .leSetDataLength
        case .leReadSuggestedDefaultDataLength: .leReadSuggestedDefaultDataLength
        case .leWriteSuggestedDefaultDataLength: .leWriteSuggestedDefaultDataLength
        case .leReadMaximumDataLength: .leReadMaximumDataLength
        case .leReadPHY: .leReadPHY
        case .leSetDefaultPHY: .leSetDefaultPHY
        case .leSetPHY: .leSetPHY
        case .leEnableEncryption: .leEnableEncryption
        case .leLongTermKeyRequestReply: .leLongTermKeyRequestReply
        case .leLongTermKeyRequestNegativeReply: .leLongTermKeyRequestNegativeReply
        case .leReadLocalP256PublicKey: .leReadLocalP256PublicKey
        case .leGenerateDHKey: .leGenerateDHKey
        case .leGenerateDHKeyV2: .leGenerateDHKeyV2
        case .leAddDeviceToResolvingList: .leAddDeviceToResolvingList
        case .leRemoveDeviceFromResolvingList: .leRemoveDeviceFromResolvingList
        case .leClearResolvingList: .leClearResolvingList
        case .leReadResolvingListSize: .leReadResolvingListSize
        case .leReadPeerResolvableAddress: .leReadPeerResolvableAddress
        case .leReadLocalResolvableAddress: .leReadLocalResolvableAddress
        case .leSetAddressResolutionEnable: .leSetAddressResolutionEnable
        case .leSetResolvablePrivateAddressTimeout: .leSetResolvablePrivateAddressTimeout
        case .leSetPrivacyMode: .leSetPrivacyMode
        case .leSetAdvertisingSetRandomAddress: .leSetAdvertisingSetRandomAddress
        case .leSetExtendedAdvertisingParameters: .leSetExtendedAdvertisingParameters
        case .leSetExtendedAdvertisingData: .leSetExtendedAdvertisingData
        case .leSetExtendedScanResponseData: .leSetExtendedScanResponseData
        case .leSetExtendedAdvertisingEnable: .leSetExtendedAdvertisingEnable
        case .leReadMaximumAdvertisingDataLength: .leReadMaximumAdvertisingDataLength
        case .leReadNumberOfSupportedAdvertisingSets: .leReadNumberOfSupportedAdvertisingSets
        case .leRemoveAdvertisingSet: .leRemoveAdvertisingSet
        case .leClearAdvertisingSets: .leClearAdvertisingSets
        case .leSetExtendedScanParameters: .leSetExtendedScanParameters
        case .leSetExtendedScanEnable: .leSetExtendedScanEnable
        case .leExtendedCreateConnection: .leExtendedCreateConnection
        case .unknown(let opcode, _): opcode
        }
    }

    /// Writes the parameters alone.
    public func writeParameters(to out: inout [UInt8]) {
        switch self {
        case .disconnect(let command): command.write(to: &out)
        case .readRemoteVersionInformation(let command): command.write(to: &out)
        case .setEventMask(let command): command.write(to: &out)
        case .readTransmitPowerLevel(let command): command.write(to: &out)
        case .setControllerToHostFlowControl(let command): command.write(to: &out)
        case .hostBufferSize(let command): command.write(to: &out)
        case .hostNumberOfCompletedPackets(let command): command.write(to: &out)
        case .setEventMaskPage2(let command): command.write(to: &out)
        case .readAuthenticatedPayloadTimeout(let command): command.write(to: &out)
        case .writeAuthenticatedPayloadTimeout(let command): command.write(to: &out)
        case .readLocalExtendedFeatures(let command): command.write(to: &out)
        case .readRSSI(let command): command.write(to: &out)
        case .leSetEventMask(let command): command.write(to: &out)
        case .leSetRandomAddress(let command): command.write(to: &out)
        case .leAddDeviceToFilterAcceptList(let command): command.write(to: &out)
        case .leRemoveDeviceFromFilterAcceptList(let command): command.write(to: &out)
        case .leSetHostChannelClassification(let command): command.write(to: &out)
        case .leEncrypt(let command): command.write(to: &out)
        case .leWriteRFPathCompensation(let command): command.write(to: &out)
        case .leSetAdvertisingParameters(let command): command.write(to: &out)
        case .leSetAdvertisingData(let command): command.write(to: &out)
        case .leSetScanResponseData(let command): command.write(to: &out)
        case .leSetAdvertisingEnable(let command): command.write(to: &out)
        case .leSetScanParameters(let command): command.write(to: &out)
        case .leSetScanEnable(let command): command.write(to: &out)
        case .leCreateConnection(let command): command.write(to: &out)
        case .leConnectionUpdate(let command): command.write(to: &out)
        case .leReadChannelMap(let command): command.write(to: &out)
        case .leReadRemoteFeatures(let command): command.write(to: &out)
        case .leRemoteConnectionParameterRequestReply(let command): command.write(to: &out)
        case .leRemoteConnectionParameterRequestNegativeReply(let command): command.write(to: &out)
        case .leSetDataLength(let command): command.write(to: &out)
        case .leWriteSuggestedDefaultDataLength(let command): command.write(to: &out)
        case .leReadPHY(let command): command.write(to: &out)
        case .leSetDefaultPHY(let command): command.write(to: &out)
        case .leSetPHY(let command): command.write(to: &out)
        case .leEnableEncryption(let command): command.write(to: &out)
        case .leLongTermKeyRequestReply(let command): command.write(to: &out)
        case .leLongTermKeyRequestNegativeReply(let command): command.write(to: &out)
        case .leGenerateDHKey(let command): command.write(to: &out)
        case .leGenerateDHKeyV2(let command): command.write(to: &out)
        case .leAddDeviceToResolvingList(let command): command.write(to: &out)
        case .leRemoveDeviceFromResolvingList(let command): command.write(to: &out)
        case .leReadPeerResolvableAddress(let command): command.write(to: &out)
        case .leReadLocalResolvableAddress(let command): command.write(to: &out)
        case .leSetAddressResolutionEnable(let command): command.write(to: &out)
        case .leSetResolvablePrivateAddressTimeout(let command): command.write(to: &out)
        case .leSetPrivacyMode(let command): command.write(to: &out)
        case .leSetAdvertisingSetRandomAddress(let command): command.write(to: &out)
        case .leSetExtendedAdvertisingParameters(let command): command.write(to: &out)
        case .leSetExtendedAdvertisingData(let command): command.write(to: &out)
        case .leSetExtendedScanResponseData(let command): command.write(to: &out)
        case .leSetExtendedAdvertisingEnable(let command): command.write(to: &out)
        case .leRemoveAdvertisingSet(let command): command.write(to: &out)
        case .leSetExtendedScanParameters(let command): command.write(to: &out)
        case .leSetExtendedScanEnable(let command): command.write(to: &out)
        case .leExtendedCreateConnection(let command): command.write(to: &out)
        case .unknown(_, let parameters): out.append(contentsOf: parameters)
        case .reset, .readLocalVersionInformation, .readLocalSupportedCommands,
            .readLocalSupportedFeatures, .readBufferSize, .readBDADDR,
            .leReadBufferSize, .leReadBufferSizeV2, .leReadLocalSupportedFeatures,
            .leReadFilterAcceptListSize, .leClearFilterAcceptList, .leRand,
            .leReadSupportedStates, .leReadTransmitPower, .leReadRFPathCompensation,
            .leReadAdvertisingPhysicalChannelTxPower, .leCreateConnectionCancel, .leReadSuggestedDefaultDataLength,
            .leReadMaximumDataLength, .leReadLocalP256PublicKey, .leClearResolvingList,
            .leReadResolvingListSize, .leReadMaximumAdvertisingDataLength, .leReadNumberOfSupportedAdvertisingSets,
            .leClearAdvertisingSets:
            break
        }
    }
}
