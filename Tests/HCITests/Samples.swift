import BluethroatBluetoothValues
import BluethroatByteCoding
import BluethroatHCI
import Testing

/// Values that the samples and the tests share; the samples are also written by
/// `Vectors/write_bumble_vectors.py`, so a change here belongs there too.
enum Samples {
    static let handle = ConnectionHandle(rawValue: 0x0A42)!
    static let otherHandle = ConnectionHandle(rawValue: 0x0001)!
    static let peer = PeerAddress(.randomSample)
    static let publicPeer = PeerAddress(.publicSample)

    /// `count` bytes, each one more than the one before.
    static func counting(_ count: Int, from start: UInt8) -> [UInt8] {
        (0..<count).map { start &+ UInt8($0) }
    }
}

extension DeviceAddress {
    static let randomSample = DeviceAddress(value: 0xC355_4433_2211, kind: .random)
    static let publicSample = DeviceAddress(value: 0x78C5_E59B_760D, kind: .public)
}

/// Return parameters of any type: their bytes, and what reading and writing them again gives.
struct ReturnSample: Sendable, CustomTestStringConvertible {
    let opcode: Opcode
    let bytes: [UInt8]
    /// Whether the bytes are read as the sample's value, all of them.
    let isRead: @Sendable ([UInt8]) throws -> Bool
    /// The bytes written after reading.
    let rewritten: @Sendable ([UInt8]) throws -> [UInt8]

    static func returned<Parameters: ReturnParameters>(_ opcode: Opcode, _ sample: Parameters) -> ReturnSample {
        ReturnSample(
            opcode: opcode,
            bytes: sample.bytes,
            isRead: { bytes in
                let event = CommandComplete(opcode: opcode, returnParameters: bytes)
                return try event.returned(Parameters.self) == sample
            },
            rewritten: { bytes in
                let event = CommandComplete(opcode: opcode, returnParameters: bytes)
                return try event.returned(Parameters.self).bytes
            }
        )
    }

    var testDescription: String { "\(opcode)" }
}

extension Event {
    /// `leMeta 0x0A` and the like, for the names of test cases.
    var label: String {
        "event 0x" + [code.rawValue].hex + (subevent.map { " 0x" + [$0.rawValue].hex } ?? "")
    }
}

/// A packet whose parameters are cut to `count`, or filled up with a zero, its length field in step.
func resized(_ packet: [UInt8], lengthAt index: Int, to count: Int) -> [UInt8] {
    var packet = packet
    let present = packet.count - index - 1
    if count < present { packet.removeLast(present - count) }
    while packet.count - index - 1 < count { packet.append(0) }
    packet[index] = UInt8(count)
    return packet
}
