import BluethroatBluetoothCrypto
import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatVirtualTime

@testable import BluethroatHost

/// Peers with private addresses, and controllers with and without a resolving list.
enum PrivacyBench {
    static let local = DeviceAddress(value: 0x78C5_E59B_760D, kind: .public)
    static let irk = Block128(high: 0xEC02_34A3_57C8_AD05, low: 0x3410_10A6_0A39_7D9B)

    /// A bonded peer with a resolving key of its own.
    static func bond(_ number: UInt64, hasKey: Bool = true, mode: PrivacyMode = .network) -> Bond {
        Bond(
            local: local,
            peer: peer(number),
            peerIdentityResolvingKey: hasKey ? key(number) : nil,
            privacyMode: mode
        )
    }

    static func peer(_ number: UInt64) -> DeviceAddress { DeviceAddress(value: 0xF0_0000_0000 | number, kind: .public) }

    static func key(_ number: UInt64) -> Block128 { Block128(high: 0xABCD, low: number) }

    /// A private address of a peer.
    static func privateAddress(of number: UInt64, _ random: UInt32 = 0x1234) -> DeviceAddress {
        AddressHash.resolvableAddress(key: key(number), random: random)!
    }

    static func store(_ bonds: [Bond]) -> MemoryBondStore { MemoryBondStore(bonds) }

    /// A controller with a resolving list of so many entries.
    static func resolving(size: UInt8 = 4, modes: Bool = true) -> ScriptedController {
        var controller = ScriptedController()
        controller.supported = SupportedCommands(
            ScriptedController.usual + [
                .leAddDeviceToResolvingList, .leRemoveDeviceFromResolvingList, .leClearResolvingList,
                .leReadResolvingListSize, .leSetAddressResolutionEnable, .leSetResolvablePrivateAddressTimeout,
            ] + (modes ? [.leSetPrivacyMode] : [])
        )
        controller.leFeatures.insert(.privacy)
        controller.answers[.leReadResolvingListSize] = [0, size]
        return controller
    }

    /// A host with these bonds that is up, on a controller without a resolving list unless one is given.
    static func up(
        _ controller: ScriptedController = ScriptedController(),
        bonds: [Bond] = [],
        configure: (inout HostConfiguration) -> Void = { _ in }
    ) -> HostBench {
        HostBench.up(controller, bonds: store(bonds)) {
            $0.identityResolvingKey = irk
            configure(&$0)
        }
    }

    static func bytes(_ key: Block128) -> [UInt8] {
        var bytes: [UInt8] = []
        key.write(to: &bytes)
        return bytes
    }

    static func report(_ address: DeviceAddress, _ type: AdvertisingReportType = .connectable) -> Event {
        report(PeerAddress(address), type)
    }

    static func report(_ peer: PeerAddress, _ type: AdvertisingReportType = .connectable) -> Event {
        let report = LEAdvertisingReport.Report(type: type, peer: peer, data: [], rssi: nil)
        return .leAdvertisingReport(LEAdvertisingReport(reports: [report]))
    }
}

extension HostBench {
    /// The random addresses that the controller was given, in order.
    var randomAddresses: [DeviceAddress] {
        controller.commands.compactMap {
            if case .known(let set as LESetRandomAddress) = $0 { set.address } else { nil }
        }
    }

    mutating func advertise(_ parameters: AdvertisingParameters) throws(OrderError) {
        try order { host, now, actions throws(OrderError) in
            try host.startAdvertising(parameters, at: now, into: &actions)
        }
    }

    mutating func scan(_ parameters: ScanParameters = ScanParameters()) throws(OrderError) {
        try order { host, now, actions throws(OrderError) in
            try host.startScanning(parameters, at: now, into: &actions)
        }
    }

    mutating func connect(to peer: DeviceAddress, _ parameters: ConnectParameters = ConnectParameters())
        throws(OrderError)
    {
        try order { host, now, actions throws(OrderError) in
            try host.connect(to: peer, parameters, at: now, into: &actions)
        }
    }

    /// The controller gives up a connection that it was told not to make any more.
    mutating func creationCancelled() {
        connectionComplete(role: .central, status: .unknownConnectionIdentifier)
    }

    mutating func takeReports() -> [AdvertisingReport] {
        takeEvents().compactMap { if case .advertisingReport(let report) = $0 { report } else { nil } }
    }
}

extension AdvertisingParameters {
    static func showing(_ address: OwnAddress, _ kind: Kind = .connectable) -> Self {
        var parameters = Self(kind, interval: AdvertisingInterval(steps: 160)!)
        parameters.ownAddress = address
        return parameters
    }
}

extension ScanParameters {
    static func showing(_ address: OwnAddress, filtersDuplicates: Bool = false) -> Self {
        var parameters = Self(filtersDuplicates: filtersDuplicates)
        parameters.ownAddress = address
        return parameters
    }
}

extension Host {
    /// Under which address each open connection was made.
    var ownAddressesOfConnections: [DeviceAddress] {
        openSlots.map { core.links[$0].own }
    }
}
