import BluethroatAirPackets
import BluethroatBluetoothCrypto
import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatLinkLayer
import BluethroatRadioMedium
import BluethroatVirtualTime
import Testing

/// Controllers on one air whose addresses change, and who know each other nevertheless.
@Suite("Rotation on the air")
struct RotationTests {
    private static let bystanders = 3

    /// Two controllers that know each other's keys, and some that know nobody.
    private func air() throws -> ControllerAir {
        let air = ControllerAir(seed: 11)
        for _ in 0..<(2 + Self.bystanders) { air.add() }
        let keys = [Someone.peerKey, Someone.otherKey]
        for index in 0..<2 {
            let peer = ControllerAir.address(1 - index)
            try air.succeed(.know(peer, peerKey: keys[1 - index], ownKey: keys[index]), at: index)
            try air.succeed(.leSetAddressResolutionEnable(LESetAddressResolutionEnable(isEnabled: true)), at: index)
            let timeout = LESetResolvablePrivateAddressTimeout(seconds: 2)
            try air.succeed(.leSetResolvablePrivateAddressTimeout(timeout), at: index)
            // Enhanced events too.
            air.send([1, 0x01, 0x20, 8, 0xFF, 0xFF, 0x0F, 0, 0, 0, 0, 0], to: index)
            _ = air.takeEvents(at: index) { $0 }
        }
        return air
    }

    private func advertise(
        _ air: ControllerAir,
        _ type: AdvertisingType = .connectable,
        filter: AdvertisingFilterPolicy = .everybody
    ) throws {
        let parameters = LESetAdvertisingParameters(
            minimumInterval: 0x40,
            maximumInterval: 0x40,
            type: type,
            ownAddressType: .resolvableOrPublic,
            peer: PeerAddress(ControllerAir.address(0)),
            filterPolicy: filter
        )
        try air.succeed(.leSetAdvertisingParameters(parameters), at: 1)
        try air.succeed(.leSetAdvertisingData(LESetAdvertisingData(data: [2, 1, 6])), at: 1)
        try air.succeed(.leSetAdvertisingEnable(LESetAdvertisingEnable(isEnabled: true)), at: 1)
    }

    private func scan(_ air: ControllerAir, at index: Int) throws {
        let parameters = LESetScanParameters(
            // All asking at once would hear nothing.
            isActive: index == 0,
            interval: 0x30,
            window: 0x30,
            ownAddressType: .resolvableOrPublic
        )
        try air.succeed(.leSetScanParameters(parameters), at: index)
        try air.succeed(.leSetScanEnable(LESetScanEnable(isEnabled: true)), at: index)
    }

    private func reports(_ air: ControllerAir, at index: Int) -> [LEAdvertisingReport.Report] {
        air.takeEvents(at: index) { event -> [LEAdvertisingReport.Report]? in
            if case .leAdvertisingReport(let report) = event { report.reports } else { nil }
        }.flatMap { $0 }
    }

    @Test("Who has the key follows through every change, by name; who has none sees strangers come and go")
    func followed() throws {
        let air = try air()
        try advertise(air)
        try scan(air, at: 0)
        for index in 2..<(2 + Self.bystanders) { try scan(air, at: index) }
        air.run(for: .seconds(30))
        let known = reports(air, at: 0)
        #expect(Set(known.map(\.peer)) == [PeerAddress(identity: ControllerAir.address(1))])
        #expect(known.count > 200)
        #expect(known.contains { $0.type == .scanResponse })
        for index in 2..<(2 + Self.bystanders) {
            let seen = Set(reports(air, at: index).map(\.peer))
            #expect(14...15 ~= seen.count)
            for peer in seen {
                #expect(peer.address.randomSubtype == .resolvablePrivate)
                #expect(AddressHash.resolves(peer.address, key: Someone.otherKey))
            }
        }
    }

    @Test(
        "Two who know each other connect again and again under new addresses, and nobody else can tell",
        arguments: [AdvertisingType.connectable, .directedLowDutyCycle, .directedHighDutyCycle]
    )
    func reconnection(type: AdvertisingType) throws {
        let air = try air()
        try air.succeed(
            .leAddDeviceToFilterAcceptList(
                LEAddDeviceToFilterAcceptList(device: PeerAddress(ControllerAir.address(0)))
            ),
            at: 1
        )
        var seen = Set<DeviceAddress>()
        for round in 1...5 {
            let command = LECreateConnection(
                scanInterval: 0x30,
                scanWindow: 0x30,
                peer: PeerAddress(ControllerAir.address(1)),
                ownAddressType: .resolvableOrPublic,
                minimumInterval: 24,
                maximumInterval: 24,
                maximumLatency: 0,
                supervisionTimeout: 200
            )
            try air.succeed(.leCreateConnection(command), at: 0)
            try advertise(air, type, filter: .onlyFromList)
            air.run(for: .seconds(3))
            for index in 0..<2 {
                let complete = air.takeEvents(at: index) { event -> LEEnhancedConnectionComplete? in
                    if case .leEnhancedConnectionComplete(let complete) = event { complete } else { nil }
                }
                let connection = try #require(complete.first, "round \(round) at \(index)")
                #expect(complete.count == 1)
                #expect(connection.status == .success)
                #expect(connection.peer == PeerAddress(identity: ControllerAir.address(1 - index)))
                let keys = [Someone.peerKey, Someone.otherKey]
                #expect(AddressHash.resolves(connection.localPrivateAddress, key: keys[index]))
                #expect(AddressHash.resolves(connection.peerPrivateAddress, key: keys[1 - index]))
                #expect(seen.insert(connection.localPrivateAddress).inserted || index == 1)
                if index == 1 { #expect(seen.contains(connection.peerPrivateAddress)) }
                let end = Disconnect(connection: connection.connection, reason: .remoteUserTerminatedConnection)
                if index == 1 { try air.succeed(.disconnect(end), at: 1) }
            }
            air.run(for: .seconds(3))
            for index in 0..<2 { _ = air.takeEvents(at: index) { $0 } }
        }
        #expect(seen.count == 10)
    }
}
