import BluethroatBluetoothValues
import BluethroatHost
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime

/// Two devices that connect, discover, read, write, pair and part, with all packets in a capture.
final class RecordedWorld: WorldTap {
    struct Packet {
        let bytes: [UInt8]
        let isFrame: Bool
        /// Whether its payload is encrypted.
        let isEncrypted: Bool
    }

    private(set) var packets: [Packet] = []
    private var recorder = CaptureRecorder(epoch: .unix)
    private var interfaces: [DeviceID: PCAPNGWriter.Interface] = [:]
    /// Whether a device has told its host that the connection is encrypted.
    private var isEncrypted = false

    func transmitted(_ transmission: Transmission, by device: DeviceID) {
        packets.append(Packet(bytes: transmission.frame, isFrame: true, isEncrypted: isEncrypted))
        recorder.record(
            frame: transmission.frame,
            channel: transmission.channel,
            phy: transmission.phy,
            signal: transmission.power,
            from: device.rawValue,
            at: transmission.start
        )
    }

    func hci(_ packet: [UInt8], fromHost: Bool, of device: DeviceID, at now: Instant) {
        // LL_START_ENC_REQ follows the key, and is in the clear; all later control PDUs are not.
        if packet.starts(with: [1, 0x1A, 0x20]) { isEncrypted = true }
        packets.append(Packet(bytes: packet, isFrame: false, isEncrypted: false))
        let interface: PCAPNGWriter.Interface
        if let known = interfaces[device] {
            interface = known
        } else {
            interface = recorder.addHCI(name: "hci\(device.rawValue)", description: "HCI")
            interfaces[device] = interface
        }
        let direction: HCIDirection = fromHost ? .hostToController : .controllerToHost
        recorder.record(hci: packet, direction: direction, on: interface, at: now)
    }

    /// Lets the devices live, and gives the capture's bytes.
    func run() throws -> [UInt8] {
        let world = World(seed: 3)
        world.tap = self
        let central = App(), peripheral = App()
        peripheral.services = [
            ServiceDefinition(
                0xFFE0,
                characteristics: [
                    CharacteristicDefinition(0xFFE1, properties: [.read, .notify], value: [1, 2, 3]),
                    CharacteristicDefinition(0xFFE2, properties: [.write, .writeWithoutResponse]),
                ]
            )
        ]
        let centralID = world.addDevice(named: "central", application: central)
        let peripheralID = world.addDevice(named: "peripheral", at: .metres(x: 1), application: peripheral)
        let address = world.publicAddress(of: peripheralID)!
        world.run(for: .milliseconds(100))
        try world.perform(on: peripheralID) { host, now, actions throws(OrderError) in
            let parameters = AdvertisingParameters(interval: AdvertisingInterval(steps: 160)!)
            try host.startAdvertising(parameters, at: now, into: &actions)
        }
        try world.perform(on: centralID) { host, now, actions throws(OrderError) in
            try host.connect(to: address, ConnectParameters(), at: now, into: &actions)
        }
        world.run(for: .seconds(2)) { central.link != nil }
        guard let link = central.link else { return [] }
        try world.perform(on: centralID) { host, now, actions throws(OrderError) in
            _ = try host.exchangeMTU(link, at: now, into: &actions)
            _ = try host.discoverAll(link, at: now, into: &actions)
        }
        world.run(for: .seconds(5))
        guard let database = central.database else { return [] }
        let read = database.characteristic(0xFFE1), write = database.characteristic(0xFFE2)
        try world.perform(on: centralID) { host, now, actions throws(OrderError) in
            if let read { _ = try host.read(link, read.valueHandle, at: now, into: &actions) }
            if let write { _ = try host.write([9, 8, 7], link, write.valueHandle, at: now, into: &actions) }
            if let write { _ = try host.writeCommand([6], link, write.valueHandle, at: now, into: &actions) }
        }
        world.run(for: .seconds(2))
        try world.perform(on: centralID) { host, now, actions throws(PairingOrderError) in
            try host.pair(link, at: now, into: &actions)
        }
        world.run(for: .seconds(3))
        try world.perform(on: centralID) { host, now, actions throws(OrderError) in
            try host.disconnect(link, at: now, into: &actions)
        }
        world.run(for: .seconds(1))
        return recorder.takeBytes()
    }

    private final class App: HostApplication {
        var services: [ServiceDefinition] = []
        private(set) var link: ConnectionID?
        private(set) var database: RemoteDatabase?

        func start(host: Host, at now: Instant, into actions: inout HostActions) {
            if !services.isEmpty { _ = try? host.addServices(services, at: now, into: &actions) }
            host.powerOn(at: now, into: &actions)
        }

        func handle(_ event: HostEvent, host: Host, at now: Instant, into actions: inout HostActions) {
            switch event {
            case .connected(let description): link = description.id
            case .client(.procedureCompleted(_, _, .database(let database))): self.database = database
            default: break
            }
        }

        var nextDeadline: Instant? { nil }
        func expire(host: Host, at now: Instant, into actions: inout HostActions) {}
    }
}
