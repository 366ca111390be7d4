import BluethroatBluetoothValues
import BluethroatHost
import BluethroatVirtualTime

/// A device that advertises from a given instant on, and, if it has services, serves whoever connects.
final class AdvertiserApp: HostApplication {
    private let parameters: AdvertisingParameters
    private let data: AdvertisingData
    private let services: [ServiceDefinition]
    private let power: SignalStrength
    /// When it begins; nil once it has.
    private var beginning: Instant?
    /// What is sent to those who have subscribed, as fast as the queue takes it.
    private var value: [UInt8]
    private var subscribers: [(connection: ConnectionID, handle: AttributeHandle)] = []

    init(
        _ parameters: AdvertisingParameters,
        data: AdvertisingData = AdvertisingData(),
        services: [ServiceDefinition] = [],
        value: [UInt8] = [],
        power: SignalStrength,
        from beginning: Instant
    ) {
        self.parameters = parameters
        self.data = data
        self.services = services
        self.value = value
        self.power = power
        self.beginning = beginning
    }

    var transmitPower: SignalStrength? { power }
    var nextDeadline: Instant? { beginning }

    func start(host: Host, at now: Instant, into actions: inout HostActions) {
        // The one service of a study's peripheral is free of contradictions.
        if !services.isEmpty { _ = try? host.addServices(services, at: now, into: &actions) }
        host.powerOn(at: now, into: &actions)
    }

    func expire(host: Host, at now: Instant, into actions: inout HostActions) {
        guard let beginning, beginning <= now else { return }
        // A host that is on its way up takes no orders yet.
        self.beginning = host.identity == nil ? now + .milliseconds(1) : nil
        guard self.beginning == nil else { return }
        advertise(host, at: now, into: &actions)
    }

    func handle(_ event: HostEvent, host: Host, at now: Instant, into actions: inout HostActions) {
        switch event {
        case .server(.subscriptionChanged(let connection, let handle, let subscription)):
            subscribers.removeAll { $0.connection == connection }
            if subscription.contains(.notifications) { subscribers.append((connection, handle)) }
            refill(host, at: now, into: &actions)
        case .readyToSend: refill(host, at: now, into: &actions)
        case .disconnected(let connection, _):
            subscribers.removeAll { $0.connection == connection }
            advertise(host, at: now, into: &actions)
        default: break
        }
    }

    /// Refused only where it advertises already.
    private func advertise(_ host: Host, at now: Instant, into actions: inout HostActions) {
        try? host.startAdvertising(parameters, data: data, at: now, into: &actions)
    }

    private func refill(_ host: Host, at now: Instant, into actions: inout HostActions) {
        for (connection, handle) in subscribers {
            while host.notify(value, handle: handle, to: connection, at: now, into: &actions) {}
        }
    }
}

/// A device that listens from a given instant on.
final class ScannerApp: HostApplication {
    private let parameters: ScanParameters
    private let power: SignalStrength
    private var beginning: Instant?

    init(_ parameters: ScanParameters, power: SignalStrength, from beginning: Instant) {
        self.parameters = parameters
        self.power = power
        self.beginning = beginning
    }

    var transmitPower: SignalStrength? { power }
    var nextDeadline: Instant? { beginning }

    func start(host: Host, at now: Instant, into actions: inout HostActions) { host.powerOn(at: now, into: &actions) }

    func expire(host: Host, at now: Instant, into actions: inout HostActions) {
        guard let beginning, beginning <= now else { return }
        // A host that is on its way up takes no orders yet.
        self.beginning = host.identity == nil ? now + .milliseconds(1) : nil
        guard self.beginning == nil else { return }
        // Nothing else was asked of this host.
        try? host.startScanning(parameters, at: now, into: &actions)
    }

    func handle(_ event: HostEvent, host: Host, at now: Instant, into actions: inout HostActions) {}
}
