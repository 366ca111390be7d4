import BluethroatBluetoothValues
import BluethroatHost
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime

/// A phone and a sensor that hide behind private addresses, bonded to each other, and a stranger who listens.
///
/// Either may let its controller resolve, or do it in the host, as with a controller that has no resolving list.
struct PrivatePair {
    /// Who resolves.
    struct Resolving: Hashable, Sendable, CustomStringConvertible {
        var phone: Bool
        var sensor: Bool

        static let all = [
            Self(phone: true, sensor: true), Self(phone: true, sensor: false), Self(phone: false, sensor: true),
            Self(phone: false, sensor: false),
        ]

        var description: String {
            "phone: \(phone ? "controller" : "host"), sensor: \(sensor ? "controller" : "host")"
        }
    }

    static let rotation = TimeSpan.seconds(20)

    let world: World
    let phone = Recorder(), stranger = Recorder()
    let sensor: Recorder
    let phoneID: DeviceID, sensorID: DeviceID, strangerID: DeviceID

    init(seed: UInt64 = 11, _ resolving: Resolving, sensorShows own: OwnAddress = .resolvablePrivate) {
        world = World(seed: seed)
        sensor = Recorder(services: WorldPair.services)
        func configuration(_ device: UInt64, usesList: Bool, _ own: OwnAddress) -> HostConfiguration {
            var configuration = HostConfiguration(seed: seed, device: device)
            configuration.privacy.usesResolvingList = usesList
            configuration.privacy.rotation = Self.rotation
            configuration.privacy.ownAddress = own
            return configuration
        }
        phoneID = world.addDevice(
            named: "phone",
            host: configuration(0, usesList: resolving.phone, .resolvablePrivate),
            application: phone
        )
        sensorID = world.addDevice(
            named: "sensor",
            host: configuration(1, usesList: resolving.sensor, own),
            at: .metres(x: 1),
            application: sensor
        )
        strangerID = world.addDevice(named: "stranger", at: .metres(x: 2), application: stranger)
        world.run(for: .milliseconds(100))
    }

    var phoneIdentity: DeviceAddress { world.publicAddress(of: phoneID)! }
    var sensorIdentity: DeviceAddress { world.publicAddress(of: sensorID)! }

    // MARK: Orders

    func advertise(_ parameters: AdvertisingParameters = .every(milliseconds: 100)) throws {
        try world.perform(on: sensorID) { host, now, actions throws(OrderError) in
            try host.startAdvertising(parameters, at: now, into: &actions)
        }
    }

    func stopAdvertising() {
        world.perform(on: sensorID) { host, now, actions in try? host.stopAdvertising(at: now, into: &actions) }
        world.run(for: .milliseconds(100))
    }

    func scan(_ id: DeviceID, _ parameters: ScanParameters = ScanParameters(active: false)) throws {
        try world.perform(on: id) { host, now, actions throws(OrderError) in
            try host.startScanning(parameters, at: now, into: &actions)
        }
    }

    func stopScanning(_ id: DeviceID) {
        world.perform(on: id) { host, now, actions in try? host.stopScanning(at: now, into: &actions) }
        world.run(for: .milliseconds(100))
    }

    /// Connects to an address, and waits until both know.
    func connect(_ id: DeviceID, to address: DeviceAddress, within limit: TimeSpan = .seconds(10)) throws -> Bool {
        sensor.forget()
        let caller = id == phoneID ? phone : stranger
        caller.forget()
        try world.perform(on: id) { host, now, actions throws(OrderError) in
            try host.connect(to: address, ConnectParameters(timeout: limit), at: now, into: &actions)
        }
        world.run(for: limit + .seconds(3)) {
            caller.connection != nil && sensor.connection != nil || caller.connectFailure != nil
        }
        return caller.connection != nil && sensor.connection != nil
    }

    func disconnect() throws {
        guard let connection = phone.connection else { return }
        try world.perform(on: phoneID) { host, now, actions throws(OrderError) in
            try host.disconnect(connection.id, at: now, into: &actions)
        }
        world.run(for: .seconds(1))
    }

    /// Lets the two meet as strangers, pair, keep each other and part.
    func bond() throws -> Bool {
        try advertise()
        try scan(phoneID)
        world.run(for: .seconds(5)) { phone.reports.isEmpty == false }
        stopScanning(phoneID)
        guard let heard = phone.reports.last, try connect(phoneID, to: heard.address) else { return false }
        guard let connection = phone.connection else { return false }
        try world.perform(on: phoneID) { host, now, actions throws(PairingOrderError) in
            try host.pair(connection.id, at: now, into: &actions)
        }
        world.run(for: .seconds(20)) { phone.hasPaired && sensor.hasPaired }
        guard phone.hasPaired, sensor.hasPaired else { return false }
        try disconnect()
        phone.forget()
        sensor.forget()
        return true
    }
}

extension AdvertisingParameters {
    static func every(milliseconds: UInt16, _ kind: Kind = .connectable, as own: OwnAddress = .usual) -> Self {
        var parameters = Self(kind, interval: AdvertisingInterval(steps: milliseconds * 8 / 5)!)
        parameters.ownAddress = own
        return parameters
    }
}

extension Recorder {
    var reports: [AdvertisingReport] {
        events.compactMap { if case .advertisingReport(let report) = $0.event { report } else { nil } }
    }

    var connectFailure: ConnectFailure? {
        last { if case .connectFailed(_, let failure) = $0 { failure } else { nil } }
    }

    var hasPaired: Bool { count { if case .security(.paired) = $0 { true } else { false } } > 0 }

    /// The first address of each that was heard, in order.
    var addresses: [DeviceAddress] {
        var addresses: [DeviceAddress] = []
        for report in reports where !addresses.contains(report.address) { addresses.append(report.address) }
        return addresses
    }

    /// Whether the last connection is encrypted.
    var isEncrypted: Bool {
        last { if case .security(.encryptionChanged(_, let security)) = $0 { security.level != .none } else { nil } }
            ?? false
    }
}
