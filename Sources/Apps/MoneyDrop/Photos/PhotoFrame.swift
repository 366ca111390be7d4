import BluethroatMoneyTerms
import Foundation

/// What is said on the channel of a photo, besides the photo. Each frame begins with a version and a kind.
enum PhotoFrame: Equatable {
    /// The sender's request: the photo of this digest, from this byte on.
    case request(digest: Data, offset: UInt64)
    /// Behind it come `length` − `offset` bytes of the photo.
    case photo(length: UInt64, offset: UInt64, digest: Data)
    case refusal(Refusal)
    /// How it was received. Then the sender closes the channel.
    case result(isIntact: Bool)

    enum Refusal: UInt8 {
        /// There is another photo now, or none: read the details again.
        case otherPhoto = 1
        /// So long it is not.
        case beyondEnd = 2
        /// Too many others are being served: come back later.
        case busy = 3
    }

    static let version: UInt8 = 1

    var bytes: Data {
        var out = Data([Self.version])
        switch self {
        case .request(let digest, let offset):
            out.append(1)
            out.append(number: offset)
            out.append(digest)
        case .photo(let length, let offset, let digest):
            out.append(2)
            out.append(number: length)
            out.append(number: offset)
            out.append(digest)
        case .refusal(let refusal): out.append(contentsOf: [3, refusal.rawValue])
        case .result(let isIntact): out.append(contentsOf: [4, isIntact ? 0 : 1])
        }
        return out
    }

    /// How many bytes a frame has that begins like this; nil if that cannot be said yet.
    static func length(of start: Data) throws(TermsError) -> Int? {
        var reader = ByteReader(start)
        guard start.count >= 2 else { return nil }
        let version = try reader.number(UInt8.self)
        guard version == Self.version else { throw .unknownVersion(version) }
        switch try reader.number(UInt8.self) {
        case 1: return 42
        case 2: return 50
        case 3, 4: return 3
        case let kind: throw .malformed("there is no frame of kind \(kind)")
        }
    }

    init(_ bytes: Data) throws(TermsError) {
        guard let length = try Self.length(of: bytes), bytes.count == length else { throw .malformed("it is cut off") }
        var reader = ByteReader(bytes.dropFirst(1))
        switch try reader.number(UInt8.self) {
        case 1:
            let offset = try reader.number(UInt64.self)
            self = .request(digest: try reader.bytes(32), offset: offset)
        case 2:
            let length = try reader.number(UInt64.self)
            let offset = try reader.number(UInt64.self)
            guard offset <= length else { throw .malformed("it begins behind its end") }
            self = .photo(length: length, offset: offset, digest: try reader.bytes(32))
        case 3:
            guard let refusal = Refusal(rawValue: try reader.number(UInt8.self)) else {
                throw .malformed("there is no such reason")
            }
            self = .refusal(refusal)
        default:
            switch try reader.number(UInt8.self) {
            case 0: self = .result(isIntact: true)
            case 1: self = .result(isIntact: false)
            default: throw .malformed("a result is 0 or 1")
            }
        }
    }
}
