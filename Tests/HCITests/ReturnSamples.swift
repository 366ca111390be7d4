import BluethroatBluetoothValues
import BluethroatHCI

extension Samples {
    /// What every command that ends in Command Complete returns, each field with a value of its own.
    static let returns: [ReturnSample] = [
        .returned(.setEventMask, StatusReturn(status: .success)),
        .returned(.reset, StatusReturn(status: .success)),
        .returned(.readLocalName, ReadLocalNameReturn(status: .success, name: counting(248, from: 1))),
        .returned(.writeSimplePairingMode, StatusReturn(status: .success)),
        .returned(.writeLEHostSupport, StatusReturn(status: .success)),
        .returned(
            .readTransmitPowerLevel,
            ReadTransmitPowerLevelReturn(status: .success, connection: handle, level: SignalStrength(dBm: -21))
        ),
        .returned(.setControllerToHostFlowControl, StatusReturn(status: .success)),
        .returned(.hostBufferSize, StatusReturn(status: .success)),
        .returned(.setEventMaskPage2, StatusReturn(status: .success)),
        .returned(
            .readAuthenticatedPayloadTimeout,
            ReadAuthenticatedPayloadTimeoutReturn(status: .success, connection: handle, timeout: 0x2A1D)
        ),
        .returned(.writeAuthenticatedPayloadTimeout, ConnectionReturn(status: .success, connection: handle)),
        .returned(
            .readLocalVersionInformation,
            ReadLocalVersionInformationReturn(
                status: .success,
                hciVersion: 0xC9,
                hciSubversion: 0x3225,
                linkLayerVersion: 0xF1,
                companyIdentifier: 0xFAED,
                linkLayerSubversion: 0xE6D9
            )
        ),
        .returned(
            .readLocalSupportedCommands,
            ReadLocalSupportedCommandsReturn(
                status: .success,
                commands: SupportedCommands([.disconnect, .leRand, .leReadTransmitPower])
            )
        ),
        .returned(
            .readLocalSupportedFeatures,
            ReadLocalSupportedFeaturesReturn(status: .success, features: [.brEDRNotSupported, .leSupported])
        ),
        .returned(
            .readLocalExtendedFeatures,
            ReadLocalExtendedFeaturesReturn(
                status: .success,
                page: 0x75,
                maximumPage: 0x81,
                features: 0x180BFEF1E4D7CABD
            )
        ),
        .returned(
            .readBufferSize,
            ReadBufferSizeReturn(
                status: .success,
                aclDataLength: 0xF6E9,
                synchronousDataLength: 0xC5,
                aclPacketCount: 0x1E11,
                synchronousPacketCount: 0x9A8D
            )
        ),
        .returned(.readBDADDR, ReadBDADDRReturn(status: .success, address: .publicSample)),
        .returned(.readRSSI, ReadRSSIReturn(status: .success, connection: handle, rssi: SignalStrength(dBm: -55))),
        .returned(.leSetEventMask, StatusReturn(status: .success)),
        .returned(
            .leReadBufferSize,
            LEReadBufferSizeReturn(status: .success, aclDataLength: 0x06F9, aclPacketCount: 0x15)
        ),
        .returned(
            .leReadBufferSizeV2,
            LEReadBufferSizeV2Return(
                status: .success,
                aclDataLength: 0xAEA1,
                aclPacketCount: 0x5D,
                isochronousDataLength: 0x1609,
                isochronousPacketCount: 0x65
            )
        ),
        .returned(
            .leReadLocalSupportedFeatures,
            LEReadLocalSupportedFeaturesReturn(
                status: .success,
                features: [.encryption, .le2MPHY, .channelSelectionAlgorithm2]
            )
        ),
        .returned(.leSetRandomAddress, StatusReturn(status: .success)),
        .returned(.leReadFilterAcceptListSize, LEReadFilterAcceptListSizeReturn(status: .success, size: 0x31)),
        .returned(.leClearFilterAcceptList, StatusReturn(status: .success)),
        .returned(.leAddDeviceToFilterAcceptList, StatusReturn(status: .success)),
        .returned(.leRemoveDeviceFromFilterAcceptList, StatusReturn(status: .success)),
        .returned(.leSetHostChannelClassification, StatusReturn(status: .success)),
        .returned(.leEncrypt, LEEncryptReturn(status: .success, ciphertext: counting(16, from: 0x40))),
        .returned(.leRand, LERandReturn(status: .success, number: 0x087B6E6154473A2D)),
        .returned(.leReadSupportedStates, LEReadSupportedStatesReturn(status: .success, states: 0x74675A4D40332619)),
        .returned(
            .leReadTransmitPower,
            LEReadTransmitPowerReturn(
                status: .success,
                minimum: SignalStrength(dBm: -40),
                maximum: SignalStrength(dBm: 8)
            )
        ),
        .returned(
            .leReadRFPathCompensation,
            LEReadRFPathCompensationReturn(status: .success, transmit: 0xC2B5, receive: 0xCEC1)
        ),
        .returned(.leWriteRFPathCompensation, StatusReturn(status: .success)),
        .returned(.leSetAdvertisingParameters, StatusReturn(status: .success)),
        .returned(
            .leReadAdvertisingPhysicalChannelTxPower,
            LEReadAdvertisingPhysicalChannelTxPowerReturn(status: .success, level: SignalStrength(dBm: -21))
        ),
        .returned(.leSetAdvertisingData, StatusReturn(status: .success)),
        .returned(.leSetScanResponseData, StatusReturn(status: .success)),
        .returned(.leSetAdvertisingEnable, StatusReturn(status: .success)),
        .returned(.leSetScanParameters, StatusReturn(status: .success)),
        .returned(.leSetScanEnable, StatusReturn(status: .success)),
        .returned(.leCreateConnectionCancel, StatusReturn(status: .success)),
        .returned(
            .leReadChannelMap,
            LEReadChannelMapReturn(status: .success, connection: handle, channels: [0xFE, 0xFF, 0x7F, 0x10, 0x1F])
        ),
        .returned(.leRemoteConnectionParameterRequestReply, ConnectionReturn(status: .success, connection: handle)),
        .returned(
            .leRemoteConnectionParameterRequestNegativeReply,
            ConnectionReturn(status: .success, connection: handle)
        ),
        .returned(.leSetDataLength, ConnectionReturn(status: .success, connection: handle)),
        .returned(
            .leReadSuggestedDefaultDataLength,
            LEReadSuggestedDefaultDataLengthReturn(status: .success, transmitOctets: 0x00F5, transmitTime: 0x0848)
        ),
        .returned(.leWriteSuggestedDefaultDataLength, StatusReturn(status: .success)),
        .returned(
            .leReadMaximumDataLength,
            LEReadMaximumDataLengthReturn(
                status: .success,
                transmitOctets: 0x00F5,
                transmitTime: 0x0848,
                receiveOctets: 0x00FB,
                receiveTime: 0x4290
            )
        ),
        .returned(
            .leReadPHY,
            LEReadPHYReturn(status: .success, connection: handle, transmit: .le2M, receive: .leCoded)
        ),
        .returned(.leSetDefaultPHY, StatusReturn(status: .success)),
        .returned(.leLongTermKeyRequestReply, ConnectionReturn(status: .success, connection: handle)),
        .returned(.leLongTermKeyRequestNegativeReply, ConnectionReturn(status: .success, connection: handle)),
        .returned(.leAddDeviceToResolvingList, StatusReturn(status: .success)),
        .returned(.leRemoveDeviceFromResolvingList, StatusReturn(status: .success)),
        .returned(.leClearResolvingList, StatusReturn(status: .success)),
        .returned(.leReadResolvingListSize, LEReadResolvingListSizeReturn(status: .success, size: 0xFD)),
        .returned(
            .leReadPeerResolvableAddress,
            LEReadPeerResolvableAddressReturn(status: .success, address: .randomSample)
        ),
        .returned(
            .leReadLocalResolvableAddress,
            LEReadLocalResolvableAddressReturn(status: .success, address: .randomSample)
        ),
        .returned(.leSetAddressResolutionEnable, StatusReturn(status: .success)),
        .returned(.leSetResolvablePrivateAddressTimeout, StatusReturn(status: .success)),
        .returned(.leSetPrivacyMode, StatusReturn(status: .success)),
        .returned(.leSetAdvertisingSetRandomAddress, StatusReturn(status: .success)),
        .returned(
            .leSetExtendedAdvertisingParameters,
            LESetExtendedAdvertisingParametersReturn(status: .success, transmitPower: SignalStrength(dBm: -7))
        ),
        .returned(.leSetExtendedAdvertisingData, StatusReturn(status: .success)),
        .returned(.leSetExtendedScanResponseData, StatusReturn(status: .success)),
        .returned(.leSetExtendedAdvertisingEnable, StatusReturn(status: .success)),
        .returned(
            .leReadMaximumAdvertisingDataLength,
            LEReadMaximumAdvertisingDataLengthReturn(status: .success, length: 0x3629)
        ),
        .returned(
            .leReadNumberOfSupportedAdvertisingSets,
            LEReadNumberOfSupportedAdvertisingSetsReturn(status: .success, count: 0x05)
        ),
        .returned(.leRemoveAdvertisingSet, StatusReturn(status: .success)),
        .returned(.leClearAdvertisingSets, StatusReturn(status: .success)),
        .returned(.leSetExtendedScanEnable, StatusReturn(status: .success)),
        .returned(.leSetExtendedScanParameters, StatusReturn(status: .success)),
    ]
}
