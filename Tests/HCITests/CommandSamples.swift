import BluethroatBluetoothValues
import BluethroatHCI

extension Samples {
    /// Every command once, each field with a value of its own.
    static let commands: [Command] = [
        .disconnect(Disconnect(connection: handle, reason: .connectionTimeout)),
        .readRemoteVersionInformation(ReadRemoteVersionInformation(connection: handle)),
        .setEventMask(SetEventMask(mask: [.disconnectionComplete, .hardwareError, .leMeta])),
        .reset,
        .readLocalName,
        .writeSimplePairingMode(WriteSimplePairingMode(isEnabled: true)),
        .writeLEHostSupport(WriteLEHostSupport(isSupported: true, simultaneousHost: 0x5A)),
        .readTransmitPowerLevel(ReadTransmitPowerLevel(connection: handle, kind: .maximum)),
        .setControllerToHostFlowControl(SetControllerToHostFlowControl(control: .acl)),
        .hostBufferSize(
            HostBufferSize(
                aclDataLength: 0xEADD,
                synchronousDataLength: 0x89,
                aclPacketCount: 0xF2E5,
                synchronousPacketCount: 0xBEB1
            )
        ),
        .hostNumberOfCompletedPackets(
            HostNumberOfCompletedPackets(completed: [
                CompletedPackets(connection: handle, count: 3),
                CompletedPackets(connection: otherHandle, count: 0x0102),
            ])
        ),
        .setEventMaskPage2(SetEventMaskPage2(mask: [.authenticatedPayloadTimeoutExpired])),
        .readAuthenticatedPayloadTimeout(ReadAuthenticatedPayloadTimeout(connection: handle)),
        .writeAuthenticatedPayloadTimeout(WriteAuthenticatedPayloadTimeout(connection: handle, timeout: 0xBAAD)),
        .readLocalVersionInformation,
        .readLocalSupportedCommands,
        .readLocalSupportedFeatures,
        .readLocalExtendedFeatures(ReadLocalExtendedFeatures(page: 0x99)),
        .readBufferSize,
        .readBDADDR,
        .readRSSI(ReadRSSI(connection: handle)),
        .leSetEventMask(LESetEventMask(mask: [.connectionComplete, .longTermKeyRequest, .channelSelectionAlgorithm])),
        .leReadBufferSize,
        .leReadBufferSizeV2,
        .leReadLocalSupportedFeatures,
        .leSetRandomAddress(LESetRandomAddress(address: .randomSample)),
        .leReadFilterAcceptListSize,
        .leClearFilterAcceptList,
        .leAddDeviceToFilterAcceptList(LEAddDeviceToFilterAcceptList(device: peer)),
        .leRemoveDeviceFromFilterAcceptList(LERemoveDeviceFromFilterAcceptList(device: peer)),
        .leSetHostChannelClassification(LESetHostChannelClassification(channels: [0xFE, 0xFF, 0x7F, 0x10, 0x1F])),
        .leEncrypt(LEEncrypt(key: counting(16, from: 0x20), plaintext: counting(16, from: 0x30))),
        .leRand,
        .leReadSupportedStates,
        .leReadTransmitPower,
        .leReadRFPathCompensation,
        .leWriteRFPathCompensation(LEWriteRFPathCompensation(transmit: 0x4235, receive: 0x4E41)),
        .leSetAdvertisingParameters(
            LESetAdvertisingParameters(
                minimumInterval: 0x00A0,
                maximumInterval: 0x0140,
                type: .directedLowDutyCycle,
                ownAddressType: .resolvableOrRandom,
                peer: peer,
                channelMap: 0x05,
                filterPolicy: .connectionsFromList
            )
        ),
        .leReadAdvertisingPhysicalChannelTxPower,
        .leSetAdvertisingData(LESetAdvertisingData(data: [2, 1, 6, 3, 3, 0x0F, 0x18])),
        .leSetScanResponseData(LESetScanResponseData(data: [2, 1, 6, 3, 3, 0x0F, 0x18])),
        .leSetAdvertisingEnable(LESetAdvertisingEnable(isEnabled: true)),
        .leSetScanParameters(
            LESetScanParameters(
                isActive: true,
                interval: 0x0050,
                window: 0x0030,
                ownAddressType: .resolvableOrRandom,
                filterPolicy: .extendedUnfiltered
            )
        ),
        .leSetScanEnable(LESetScanEnable(isEnabled: true, filtersDuplicates: true)),
        .leCreateConnection(
            LECreateConnection(
                scanInterval: 0x0060,
                scanWindow: 0x0030,
                filterPolicy: .peer,
                peer: peer,
                ownAddressType: .resolvableOrRandom,
                minimumInterval: 0x00A0,
                maximumInterval: 0x0140,
                maximumLatency: 0x0007,
                supervisionTimeout: 0x01F4,
                minimumEventLength: 0x0011,
                maximumEventLength: 0x0022
            )
        ),
        .leCreateConnectionCancel,
        .leConnectionUpdate(
            LEConnectionUpdate(
                connection: handle,
                minimumInterval: 0x00A0,
                maximumInterval: 0x0140,
                maximumLatency: 0x0007,
                supervisionTimeout: 0x01F4,
                minimumEventLength: 0x0011,
                maximumEventLength: 0x0022
            )
        ),
        .leReadChannelMap(LEReadChannelMap(connection: handle)),
        .leReadRemoteFeatures(LEReadRemoteFeatures(connection: handle)),
        .leRemoteConnectionParameterRequestReply(
            LERemoteConnectionParameterRequestReply(
                connection: handle,
                minimumInterval: 0x00A0,
                maximumInterval: 0x0140,
                maximumLatency: 0x0007,
                supervisionTimeout: 0x01F4,
                minimumEventLength: 0x0011,
                maximumEventLength: 0x0022
            )
        ),
        .leRemoteConnectionParameterRequestNegativeReply(
            LERemoteConnectionParameterRequestNegativeReply(connection: handle, reason: .connectionTimeout)
        ),
        .leSetDataLength(LESetDataLength(connection: handle, transmitOctets: 0x00F5, transmitTime: 0x0848)),
        .leReadSuggestedDefaultDataLength,
        .leWriteSuggestedDefaultDataLength(
            LEWriteSuggestedDefaultDataLength(transmitOctets: 0x00F5, transmitTime: 0x0848)
        ),
        .leReadMaximumDataLength,
        .leReadPHY(LEReadPHY(connection: handle)),
        .leSetDefaultPHY(LESetDefaultPHY(noPreference: [.receive], transmit: [.le1M, .leCoded], receive: [.le2M])),
        .leSetPHY(
            LESetPHY(
                connection: handle,
                noPreference: [.receive],
                transmit: [.le1M, .leCoded],
                receive: [.le2M],
                options: 0x8A7D
            )
        ),
        .leEnableEncryption(
            LEEnableEncryption(
                connection: handle,
                random: 0x04F7EADDD0C3B6A9,
                encryptedDiversifier: 0x9285,
                longTermKey: counting(16, from: 0x10)
            )
        ),
        .leLongTermKeyRequestReply(
            LELongTermKeyRequestReply(connection: handle, longTermKey: counting(16, from: 0x10))
        ),
        .leLongTermKeyRequestNegativeReply(LELongTermKeyRequestNegativeReply(connection: handle)),
        .leReadLocalP256PublicKey,
        .leGenerateDHKey(LEGenerateDHKey(publicKey: counting(64, from: 0x50))),
        .leGenerateDHKeyV2(LEGenerateDHKeyV2(publicKey: counting(64, from: 0x50), usesDebugKey: true)),
        .leAddDeviceToResolvingList(
            LEAddDeviceToResolvingList(
                identity: peer,
                peerResolvingKey: counting(16, from: 0x60),
                localResolvingKey: counting(16, from: 0x70)
            )
        ),
        .leRemoveDeviceFromResolvingList(LERemoveDeviceFromResolvingList(identity: peer)),
        .leClearResolvingList,
        .leReadResolvingListSize,
        .leReadPeerResolvableAddress(LEReadPeerResolvableAddress(identity: peer)),
        .leReadLocalResolvableAddress(LEReadLocalResolvableAddress(identity: peer)),
        .leSetAddressResolutionEnable(LESetAddressResolutionEnable(isEnabled: true)),
        .leSetResolvablePrivateAddressTimeout(LESetResolvablePrivateAddressTimeout(seconds: 0xDED1)),
        .leSetPrivacyMode(LESetPrivacyMode(identity: peer, mode: .device)),
        .leSetAdvertisingSetRandomAddress(
            LESetAdvertisingSetRandomAddress(advertisingHandle: 0x1B, address: .randomSample)
        ),
        .leSetExtendedAdvertisingParameters(
            LESetExtendedAdvertisingParameters(
                advertisingHandle: 0x1B,
                properties: [.connectable, .legacy, .includesTransmitPower],
                primaryMinimumInterval: 0x012345,
                primaryMaximumInterval: 0x0ABCDE,
                primaryChannelMap: 0x06,
                ownAddressType: .resolvableOrRandom,
                peer: peer,
                filterPolicy: .connectionsFromList,
                transmitPower: SignalStrength(dBm: 11),
                primaryPHY: .leCoded,
                secondaryMaximumSkip: 0x4D,
                secondaryPHY: .le2M,
                setIdentifier: 0xB9,
                notifiesOfScanRequests: true
            )
        ),
        .leSetExtendedAdvertisingData(
            LESetExtendedAdvertisingData(
                advertisingHandle: 0x1B,
                operation: .firstFragment,
                fragmentPreference: .shouldNotFragment,
                data: [2, 1, 6, 3, 3, 0x0F, 0x18]
            )
        ),
        .leSetExtendedScanResponseData(
            LESetExtendedScanResponseData(
                advertisingHandle: 0x1B,
                operation: .firstFragment,
                fragmentPreference: .shouldNotFragment,
                data: [2, 1, 6, 3, 3, 0x0F, 0x18]
            )
        ),
        .leSetExtendedAdvertisingEnable(
            LESetExtendedAdvertisingEnable(
                isEnabled: true,
                sets: [
                    AdvertisingSetTiming(advertisingHandle: 0x1B, duration: 0x0102, maximumEvents: 3),
                    AdvertisingSetTiming(advertisingHandle: 0x2C, duration: 0x0304, maximumEvents: 5),
                ]
            )
        ),
        .leReadMaximumAdvertisingDataLength,
        .leReadNumberOfSupportedAdvertisingSets,
        .leRemoveAdvertisingSet(LERemoveAdvertisingSet(advertisingHandle: 0x1B)),
        .leClearAdvertisingSets,
        .leSetExtendedScanEnable(
            LESetExtendedScanEnable(
                isEnabled: true,
                duplicateFilter: .onResetEachPeriod,
                duration: 0xE2D5,
                period: 0x6E61
            )
        ),
        .leSetExtendedScanParameters(
            LESetExtendedScanParameters(
                ownAddressType: .random,
                filterPolicy: .basicFiltered,
                le1M: .init(isActive: true, interval: 0x0060, window: 0x0030),
                leCoded: .init(isActive: false, interval: 0x0170, window: 0x0140)
            )
        ),
        .leExtendedCreateConnection(
            LEExtendedCreateConnection(
                filterPolicy: .peer,
                ownAddressType: .random,
                peer: peer,
                le1M: .init(
                    scanInterval: 0x0020,
                    scanWindow: 0x0030,
                    minimumInterval: 0x0040,
                    maximumInterval: 0x0050,
                    maximumLatency: 0x0060,
                    supervisionTimeout: 0x0170,
                    minimumEventLength: 0x0080,
                    maximumEventLength: 0x0090
                ),
                le2M: .init(
                    scanInterval: 0x0021,
                    scanWindow: 0x0031,
                    minimumInterval: 0x0041,
                    maximumInterval: 0x0051,
                    maximumLatency: 0x0061,
                    supervisionTimeout: 0x0171,
                    minimumEventLength: 0x0081,
                    maximumEventLength: 0x0091
                ),
                leCoded: .init(
                    scanInterval: 0x0022,
                    scanWindow: 0x0032,
                    minimumInterval: 0x0042,
                    maximumInterval: 0x0052,
                    maximumLatency: 0x0062,
                    supervisionTimeout: 0x0172,
                    minimumEventLength: 0x0082,
                    maximumEventLength: 0x0092
                )
            )
        ),
    ]
}
