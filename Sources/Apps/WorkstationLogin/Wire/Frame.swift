import Crypto
import Foundation

/// One packet of the framed mode, version 1. Numbers are little endian; docs/workstation.md draws them.
enum Frame: Equatable {
    /// A message begins: what it is called, how many bytes it has, and the beginning of its digest.
    case begin(id: UInt32, length: UInt32, digest: Data, payload: Data)
    /// It goes on; the number counts the packets of the message, modulo 256.
    case more(number: UInt8, payload: Data)
    /// All of a message has come, and its digest was right.
    case received(id: UInt32)
    /// A message was not taken.
    case refused(id: UInt32, Refusal)

    /// Why a message was not taken.
    enum Refusal: UInt8, Error {
        /// A packet is missing.
        case gap = 1
        /// The digest is another one, or there were more bytes than promised.
        case damaged = 2
        /// It is longer than the receiver takes.
        case tooLong = 3
    }

    static let digestLength = 8
    /// What stands before the payload of the first packet, and of every other.
    static let beginOverhead = 17, moreOverhead = 2

    static func digest(of message: Data) -> Data { Data(SHA256.hash(data: message).prefix(digestLength)) }

    /// Nil for what is no packet of this version.
    init?(_ packet: Data) {
        let bytes = [UInt8](packet)
        func number(at offset: Int) -> UInt32 {
            (0..<4).reduce(0) { $0 | UInt32(bytes[offset + $1]) << (8 * UInt32($1)) }
        }
        switch bytes.first {
        case 1 where bytes.count >= Self.beginOverhead:
            self = .begin(
                id: number(at: 1),
                length: number(at: 5),
                digest: Data(bytes[9..<17]),
                payload: Data(bytes[17...])
            )
        case 2 where bytes.count > Self.moreOverhead:
            self = .more(number: bytes[1], payload: Data(bytes[2...]))
        case 3 where bytes.count == 5: self = .received(id: number(at: 1))
        case 4 where bytes.count == 6:
            guard let refusal = Refusal(rawValue: bytes[5]) else { return nil }
            self = .refused(id: number(at: 1), refusal)
        default: return nil
        }
    }

    var packet: Data {
        func bytes(_ number: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }
        switch self {
        case .begin(let id, let length, let digest, let payload):
            return Data([1] + bytes(id) + bytes(length)) + digest + payload
        case .more(let number, let payload): return Data([2, number]) + payload
        case .received(let id): return Data([3] + bytes(id))
        case .refused(let id, let refusal): return Data([4] + bytes(id) + [refusal.rawValue])
        }
    }
}
