import BluethroatAirPackets
import BluethroatBluetoothValues
public import BluethroatRadioMedium
public import BluethroatSimulation
public import BluethroatVirtualTime
import DequeModule

/// The latest frames on the air, with who received them.
///
/// Frames are kept in a ring: `capacity` of them, and `memory` bytes at most. What fell out is counted, not hidden.
public final class AirLog: WorldTap {
    /// A frame, numbered from 1.
    public struct Packet: Sendable {
        public let number: Int
        public let device: DeviceID
        public let transmission: Transmission
        /// The devices that got it as it was sent.
        public internal(set) var receivers: [DeviceID] = []
        /// The devices that got other bits, because another signal damaged it or it was lost on the way.
        public internal(set) var damagedReceivers: [DeviceID] = []
        /// Whether another frame was on the same channel at the same time, wherever that was heard.
        public internal(set) var collided = false
        /// Whether its payload is encrypted, and ends with a MIC.
        public internal(set) var isEncrypted = false

        public var accessAddress: UInt32 { transmission.syncWord }
        /// Whether it belongs to a connection.
        public var isData: Bool { transmission.syncWord != AccessAddress.advertising.rawValue }
        /// Whether it belongs to a connection, and neither the peer nor another device got it as it was sent.
        public var isLost: Bool { isData && receivers.isEmpty }
    }

    public static let capacity = 50_000
    public static let memory = 16 << 20

    /// The number of the latest packet; 0 before there is one.
    public private(set) var lastNumber = 0
    private var packets: Deque<Packet> = []
    private var size = 0
    /// Numbers of the latest frames, some of which may still be on the air.
    private var recent: [Int] = []

    /// Which two devices use which access address, and when they last did.
    private var links: [UInt32: (one: DeviceID, other: DeviceID?, last: Instant)] = [:]

    private var encryptedLinks = EncryptedLinks()

    public init() {}

    /// The devices with which this one has a connection, as far as the air shows: both have said something lately.
    public func partners(of device: DeviceID, at now: Instant) -> [DeviceID] {
        links.values.compactMap { link -> DeviceID? in
            guard let other = link.other, now - link.last < Self.silence else { return nil }
            return link.one == device ? other : other == device ? link.one : nil
        }.sorted { $0.rawValue < $1.rawValue }
    }

    /// A connection of which nothing was heard for so long is none.
    private static let silence = TimeSpan.seconds(5)

    private func note(_ address: UInt32, of device: DeviceID, at now: Instant) {
        guard address != AccessAddress.advertising.rawValue else { return }
        guard let link = links[address], now - link.last < Self.silence else {
            if links.count > 256 { links = links.filter { now - $0.value.last < Self.silence } }
            links[address] = (device, nil, now)
            return
        }
        links[address] = (link.one, link.one == device ? link.other : device, now)
    }

    /// The packet with this number, unless it has fallen out.
    public subscript(number: Int) -> Packet? { index(of: number).map { packets[$0] } }

    /// The oldest number that is still here; one more than the last if none is.
    public var firstNumber: Int { packets.first?.number ?? lastNumber + 1 }

    /// Packets behind the one with this number whose fate is known at `now`, the oldest first.
    public func packets(after number: Int, endedBy now: Instant, limit: Int = .max) -> [Packet] {
        var found: [Packet] = []
        var index = place(behind: number)
        while index < packets.count, found.count < limit, packets[index].transmission.end < now {
            found.append(packets[index])
            index += 1
        }
        return found
    }

    /// Packets behind the one with this number and up to the other, the oldest first, whether their fate is known or not.
    public func packets(after number: Int, through last: Int, limit: Int) -> [Packet] {
        Array(packets[place(behind: number)..<max(place(behind: number), place(behind: last))].prefix(max(0, limit)))
    }

    /// All that is kept.
    public var all: some BidirectionalCollection<Packet> { packets }

    public func clear() {
        packets = []
        size = 0
        recent = []
    }

    // MARK: WorldTap

    public func transmitted(_ transmission: Transmission, by device: DeviceID) {
        lastNumber += 1
        var packet = Packet(number: lastNumber, device: device, transmission: transmission)
        packet.isEncrypted = encryptedLinks.isEncrypted(transmission)
        note(transmission.syncWord, of: device, at: transmission.start)
        recent.removeAll { number in
            guard let other = index(of: number), packets[other].transmission.end > transmission.start else {
                return true
            }
            if packets[other].transmission.channel == transmission.channel {
                packets[other].collided = true
                packet.collided = true
            }
            return false
        }
        recent.append(lastNumber)
        packets.append(packet)
        size += transmission.frame.count
        while packets.count > Self.capacity || size > Self.memory, let oldest = packets.popFirst() {
            size -= oldest.transmission.frame.count
        }
    }

    public func received(_ delivery: Delivery, _ transmission: Transmission, by device: DeviceID) {
        // The latest frames are the last in the ring: there are only a few on the air at once.
        for number in recent.reversed() {
            guard let index = index(of: number), packets[index].transmission.radio == transmission.radio,
                packets[index].transmission.start == transmission.start
            else { continue }
            if delivery.isDamaged {
                packets[index].damagedReceivers.append(device)
            } else {
                packets[index].receivers.append(device)
            }
            return
        }
    }

    // Numbers come from outside, and may be any.
    private func index(of number: Int) -> Int? {
        guard number >= firstNumber, number - firstNumber < packets.count else { return nil }
        return number - firstNumber
    }

    /// Where the packets begin that come after the one with a number.
    private func place(behind number: Int) -> Int {
        number < firstNumber ? 0 : min(number - firstNumber, packets.count - 1) + 1
    }
}
