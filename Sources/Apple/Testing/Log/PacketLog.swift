import BluethroatBluetoothValues
import BluethroatPhones
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime

/// All that was on an air, what passed between hosts and controllers, and the events of apps.
///
/// It keeps references to what exists anyway, and turns them into text or a capture on demand. The most recent million
/// entries are kept.
public final class PacketLog {
    enum Item {
        case frame(Transmission, DeviceID, strength: SignalStrength, isEncrypted: Bool)
        case hci([UInt8], fromHost: Bool, DeviceID)
        case app(PhoneHappening, phone: DeviceID)
        case note(String)
    }

    struct Entry {
        let time: Instant
        let item: Item
    }

    static let limit = 1_000_000

    private(set) var entries: [Entry] = []
    /// How many were too old to be kept.
    private(set) var droppedCount = 0
    unowned let world: World
    private var names: [DeviceID: String] = [:]
    private var wasAttached = false

    init(_ world: World) { self.world = world }

    /// Everything on the air so far, in order; damaged or not, heard or not.
    public var packets: [LoggedPacket] {
        entries.compactMap { entry in
            guard case .frame(let transmission, let device, _, let isEncrypted) = entry.item else { return nil }
            return LoggedPacket(transmission, from: name(of: device), isEncrypted: isEncrypted)
        }
    }

    /// What a device has sent so far.
    public func packets(from device: some AirDevice) -> [LoggedPacket] {
        entries.compactMap { entry in
            guard case .frame(let transmission, device.device, _, let isEncrypted) = entry.item else { return nil }
            return LoggedPacket(transmission, from: name(of: device.device), isEncrypted: isEncrypted)
        }
    }

    /// Writes something into the log, for its reader after a failure.
    public func note(_ text: String) { append(.note(text), at: world.now) }

    /// Whether the log has not been kept yet; asked once.
    func isToBeAttached() -> Bool {
        defer { wasAttached = true }
        return !wasAttached
    }

    func name(of device: DeviceID) -> String {
        if let known = names[device] { return known }
        let name = world.name(of: device) ?? device.description
        names[device] = name
        return name
    }

    func append(_ item: Item, at time: Instant) {
        if entries.count >= Self.limit {
            entries.removeFirst(Self.limit / 4)
            droppedCount += Self.limit / 4
        }
        entries.append(Entry(time: time, item: item))
    }
}

/// Keeps what the world reports.
final class LogTap: WorldTap {
    private let log: PacketLog
    private unowned let world: World
    private let faults: FaultyDevices
    private var encryptedLinks = EncryptedLinks()

    init(_ log: PacketLog, of world: World, _ faults: FaultyDevices) {
        self.log = log
        self.faults = faults
        self.world = world
    }

    func transmitted(_ transmission: Transmission, by device: DeviceID) {
        let strength = world.strength(of: transmission.power, from: device, at: .origin)
        let isEncrypted = encryptedLinks.isEncrypted(transmission)
        log.append(
            .frame(transmission, device, strength: strength, isEncrypted: isEncrypted),
            at: transmission.start
        )
    }

    func hci(_ packet: [UInt8], fromHost: Bool, of device: DeviceID, at now: Instant) {
        log.append(.hci(packet, fromHost: fromHost, device), at: now)
        if !fromHost { faults.applications[device]?.observe(hci: packet, at: now) }
    }
}

extension PacketLog {
    /// Logs an event or a command of an app of a phone.
    func add(_ happening: PhoneHappening, of phone: DeviceID) {
        append(.app(happening, phone: phone), at: world.now)
    }
}
