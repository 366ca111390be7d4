import BluethroatBluetoothValues
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime

/// A host that says whatever the scene has it say, in bytes, to a controller on the air.
final class RawHost {
    private(set) var id = DeviceID(rawValue: 0)
    /// Handles of open connections.
    private(set) var handles: [UInt16] = []
    /// L2CAP frames that came in one packet: channel and payload.
    private(set) var frames: [(channel: UInt16, payload: [UInt8])] = []
    private(set) var reports = 0
    private(set) var completedPackets = 0
    private(set) var encryptionChanges = 0
    private(set) var refreshes = 0
    private(set) var disconnections = 0
    /// Status of each answered command, in order.
    private(set) var statuses: [UInt8] = []
    /// What a request for the long term key is answered with.
    var longTermKey: [UInt8]?
    private let world: World

    init(in world: World, named name: String, metres x: Double, drift: ClockDrift = .none) {
        self.world = world
        id = world.addController(named: name, at: .metres(x: x), drift: drift) { [unowned self] packet in
            receive(packet)
        }
        command(0x0C03)
        command(0x0C01, [UInt8](repeating: 0xFF, count: 8))
        command(0x2001, [0xFF, 0xFD, 0xFF, 0x0F, 0, 0, 0, 0])
    }

    var address: DeviceAddress { world.publicAddress(of: id)! }

    // MARK: What it says

    func command(_ opcode: UInt16, _ parameters: [UInt8] = []) {
        say([1] + opcode.octets + [UInt8(parameters.count)] + parameters)
    }

    /// An L2CAP frame in one ACL data packet.
    func send(_ payload: [UInt8], channel: UInt16 = 4, on handle: UInt16) {
        let frame = UInt16(payload.count).octets + channel.octets + payload
        say([2] + handle.octets + UInt16(frame.count).octets + frame)
    }

    func advertise(intervalSteps: UInt16 = 64) {
        command(0x2006, intervalSteps.octets + intervalSteps.octets + [0, 0, 0, 0, 0, 0, 0, 0, 0, 7, 0])
        command(0x2008, [3] + [2, 1, 6] + [UInt8](repeating: 0, count: 28))
        command(0x200A, [1])
    }

    func scan(isActive: Bool) {
        command(0x200B, [isActive ? 1 : 0, 0x60, 0, 0x30, 0, 0, 0])
        command(0x200C, [1, 0])
    }

    func stopScanning() { command(0x200C, [0, 0]) }

    func connect(to peer: DeviceAddress, intervalSteps: UInt16 = 20) {
        let parameters = intervalSteps.octets + intervalSteps.octets + [0, 0] + UInt16(200).octets + [0, 0, 0, 0]
        command(0x200D, [0x30, 0, 0x30, 0, 0, peer.kind.rawValue] + peer.bytes + [0] + parameters)
    }

    func enableEncryption(_ key: [UInt8], on handle: UInt16) {
        command(0x2019, handle.octets + [UInt8](repeating: 0, count: 10) + key)
    }

    func disconnect(_ handle: UInt16) { command(0x0406, handle.octets + [0x13]) }

    /// Any packet, whole or not.
    func say(_ packet: [UInt8]) { world.receive(hci: packet, for: id) }

    // MARK: What it hears

    private func receive(_ packet: [UInt8]) {
        guard packet.count > 3 else { return }
        if packet[0] == 2, packet.count >= 9 {
            let channel = UInt16(packet[7]) | UInt16(packet[8]) << 8
            return frames.append((channel, Array(packet[9...])))
        }
        guard packet[0] == 4 else { return }
        switch packet[1] {
        case 0x05 where packet[3] == 0:
            disconnections += 1
            handles.removeAll { $0 == UInt16(packet[4]) | UInt16(packet[5]) << 8 }
        case 0x08: encryptionChanges += 1
        case 0x0E: if packet.count > 6 { statuses.append(packet[6]) }
        case 0x0F: statuses.append(packet[3])
        case 0x13: completedPackets += 1
        case 0x30: refreshes += 1
        case 0x3E: receiveLE(Array(packet[3...]))
        default: break
        }
    }

    private func receiveLE(_ event: [UInt8]) {
        switch event[0] {
        case 0x01 where event[1] == 0: handles.append(UInt16(event[2]) | UInt16(event[3]) << 8)
        case 0x02: reports += 1
        case 0x05:
            let handle = Array(event[1...2])
            // Answered after the controller has ended its turn.
            world.schedule(at: world.now) { [unowned self] _ in
                if let longTermKey { command(0x201A, handle + longTermKey) } else { command(0x201B, handle) }
            }
        default: break
        }
    }
}

extension UInt16 {
    /// Little-endian.
    fileprivate var octets: [UInt8] { [UInt8(truncatingIfNeeded: self), UInt8(self >> 8)] }
}
