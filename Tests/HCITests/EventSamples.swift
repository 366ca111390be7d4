import BluethroatBluetoothValues
import BluethroatHCI

extension Samples {
    /// Every event once, each field with a value of its own.
    static let events: [Event] = [
        .commandComplete(
            CommandComplete(commandPacketCredits: 2, opcode: .leRand, returnParameters: [0, 1, 2, 3, 4, 5, 6, 7, 8])
        ),
        .commandStatus(CommandStatus(status: .commandDisallowed, commandPacketCredits: 3, opcode: .leCreateConnection)),
        .disconnectionComplete(DisconnectionComplete(status: .success, connection: handle, reason: .connectionTimeout)),
        .encryptionChange(EncryptionChange(status: .success, connection: handle, isEncrypted: true)),
        .readRemoteVersionInformationComplete(
            ReadRemoteVersionInformationComplete(
                status: .success,
                connection: handle,
                version: 0x51,
                companyIdentifier: 0xDACD,
                subversion: 0x4639
            )
        ),
        .encryptionKeyRefreshComplete(EncryptionKeyRefreshComplete(status: .success, connection: handle)),
        .authenticatedPayloadTimeoutExpired(AuthenticatedPayloadTimeoutExpired(connection: handle)),
        .hardwareError(HardwareError(code: 0x55)),
        .numberOfCompletedPackets(
            NumberOfCompletedPackets(completed: [
                CompletedPackets(connection: handle, count: 3),
                CompletedPackets(connection: otherHandle, count: 0x0102),
            ])
        ),
        .dataBufferOverflow(DataBufferOverflow(link: .acl)),
        .leConnectionComplete(
            LEConnectionComplete(
                status: .success,
                connection: handle,
                role: .peripheral,
                peer: peer,
                interval: 0x0050,
                latency: 0x0009,
                supervisionTimeout: 0x01F4,
                centralClockAccuracy: 0x05
            )
        ),
        .leConnectionUpdateComplete(
            LEConnectionUpdateComplete(
                status: .success,
                connection: handle,
                interval: 0x0050,
                latency: 0x0009,
                supervisionTimeout: 0x01F4
            )
        ),
        .leReadRemoteFeaturesComplete(
            LEReadRemoteFeaturesComplete(
                status: .success,
                connection: handle,
                features: [.encryption, .le2MPHY, .channelSelectionAlgorithm2]
            )
        ),
        .leRemoteConnectionParameterRequest(
            LERemoteConnectionParameterRequest(
                connection: handle,
                minimumInterval: 0x00A0,
                maximumInterval: 0x0140,
                maximumLatency: 0x0007,
                supervisionTimeout: 0x01F4
            )
        ),
        .leDataLengthChange(
            LEDataLengthChange(
                connection: handle,
                transmitOctets: 0x00F5,
                transmitTime: 0x0848,
                receiveOctets: 0x00FB,
                receiveTime: 0x4290
            )
        ),
        .leEnhancedConnectionComplete(
            LEEnhancedConnectionComplete(
                status: .success,
                connection: handle,
                role: .peripheral,
                peer: peer,
                localPrivateAddress: .randomSample,
                peerPrivateAddress: .randomSample,
                interval: 0x0050,
                latency: 0x0009,
                supervisionTimeout: 0x01F4,
                centralClockAccuracy: 0x05
            )
        ),
        .lePHYUpdateComplete(
            LEPHYUpdateComplete(status: .success, connection: handle, transmit: .le2M, receive: .leCoded)
        ),
        .leChannelSelectionAlgorithm(LEChannelSelectionAlgorithm(connection: handle, algorithm: .two)),
        .leLongTermKeyRequest(
            LELongTermKeyRequest(connection: handle, random: 0x3C2F221508FBEEE1, encryptedDiversifier: 0xAA9D)
        ),
        .leReadLocalP256PublicKeyComplete(
            LEReadLocalP256PublicKeyComplete(status: .success, publicKey: counting(64, from: 0x50))
        ),
        .leGenerateDHKeyComplete(LEGenerateDHKeyComplete(status: .success, key: counting(32, from: 0x20))),
        .leAdvertisingReport(
            LEAdvertisingReport(reports: [
                .init(type: .scannable, peer: peer, data: [2, 1, 6, 3, 3, 0x0F, 0x18], rssi: SignalStrength(dBm: -55)),
                .init(type: .scanResponse, peer: publicPeer, data: [], rssi: nil),
            ])
        ),
        .leDirectedAdvertisingReport(
            LEDirectedAdvertisingReport(reports: [
                .init(
                    type: .directed,
                    peer: peer,
                    target: PeerAddress(type: .unresolved, value: 0x5A66_7788_99AA),
                    rssi: SignalStrength(dBm: -70)
                )
            ])
        ),
        .leExtendedAdvertisingReport(
            LEExtendedAdvertisingReport(reports: [
                .init(
                    type: [.scannable, .incomplete],
                    peer: peer,
                    primaryPHY: .le1M,
                    secondaryPHY: .le2M,
                    setIdentifier: 0x0B,
                    transmitPower: SignalStrength(dBm: 11),
                    rssi: SignalStrength(dBm: -55),
                    periodicInterval: 0x0123,
                    target: publicPeer,
                    data: [2, 1, 6, 3, 3, 0x0F, 0x18]
                ), .init(type: [.connectable, .legacy], peer: publicPeer, data: []),
            ])
        ),
        .leAdvertisingSetTerminated(
            LEAdvertisingSetTerminated(
                status: .success,
                advertisingHandle: 0x1B,
                connection: handle,
                completedEvents: 0x49
            )
        ),
        .leScanRequestReceived(LEScanRequestReceived(advertisingHandle: 0x1B, scanner: peer)),
        .leScanTimeout,
    ]
}
