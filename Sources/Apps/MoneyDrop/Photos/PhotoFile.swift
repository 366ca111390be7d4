public import BluethroatMoneyTerms
import Crypto
public import Foundation

/// A photo and what it is known by.
public struct PhotoFile {
    public let bytes: Data
    public let description: PhotoDescription

    public init(_ bytes: Data) {
        self.bytes = bytes
        description = PhotoDescription(length: UInt64(bytes.count), digest: Data(SHA256.hash(data: bytes)))
    }
}

extension PhotoDescription {
    /// Whether it takes more than a moment, about a second.
    var isLong: Bool { length >= 100_000 }
}
