import BluethroatBluetoothValues
import BluethroatHost
import BluethroatVirtualTime

/// A peripheral that serves what it is given, advertises, and remembers what it is written.
final class Accessory: HostApplication {
    let services: [ServiceDefinition]
    var data: AdvertisingData
    var scanResponse: AdvertisingData
    var kind: AdvertisingParameters.Kind
    var isOnAir: Bool
    var written: [[UInt8]] = []
    /// What its server was asked, in the order in which it came; of reads those that it is asked for as an application.
    var asked: [String] = []
    var answersReads = true
    var connections = 0
    var connection: ConnectionID?

    init(
        _ services: [ServiceDefinition] = [],
        data: [AdvertisingData.Structure] = [.flags([.generalDiscoverable, .brEDRNotSupported])],
        scanResponse: [AdvertisingData.Structure] = [],
        kind: AdvertisingParameters.Kind = .connectable,
        isOnAir: Bool = true
    ) {
        self.services = services
        self.data = AdvertisingData(data)
        self.scanResponse = AdvertisingData(scanResponse)
        self.kind = kind
        self.isOnAir = isOnAir
    }

    func start(host: Host, at now: Instant, into actions: inout HostActions) {
        _ = try? host.addServices(services, at: now, into: &actions)
        host.powerOn(at: now, into: &actions)
    }

    func handle(_ event: HostEvent, host: Host, at now: Instant, into actions: inout HostActions) {
        switch event {
        case .poweredOn, .disconnected:
            connection = nil
            if isOnAir { advertise(host: host, at: now, into: &actions) }
        case .connected(let description):
            connection = description.id
            connections += 1
        case .server(.valueWritten(_, _, let value)):
            written.append(value)
            asked.append("write \(value.count > 9 ? "\(value.count) bytes" : "\(value)")")
        case .server(.subscriptionChanged(_, let handle, let kind)):
            let names = services.flatMap(\.characteristics).map(\.uuid)
            let name = names.first { host.database.valueHandle(of: $0) == handle }
            asked.append("\(kind.isEmpty ? "unsubscribe" : "subscribe") \(name.map { "\($0)" } ?? "?")")
        case .server(.readRequested(let request, _, _, _)):
            asked.append("read")
            if answersReads { try? host.respond(to: request, with: .value([7]), at: now, into: &actions) }
        default: break
        }
    }

    func advertise(host: Host, at now: Instant, into actions: inout HostActions) {
        isOnAir = true
        try? host.startAdvertising(
            AdvertisingParameters(kind, interval: AdvertisingInterval(steps: 160)!),
            data: data,
            scanResponse: scanResponse,
            at: now,
            into: &actions
        )
    }

    var nextDeadline: Instant? { nil }

    func expire(host: Host, at now: Instant, into actions: inout HostActions) {}
}

extension ServiceDefinition {
    /// One value, for those who have paired.
    static let secret = Self(
        0xAA00,
        characteristics: [
            CharacteristicDefinition(
                0xAA01,
                properties: .read,
                permissions: AttributePermissions(read: .encrypted),
                value: [1]
            )
        ]
    )
}
