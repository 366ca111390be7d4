public import Foundation

/// Takes bytes from the front of received data. Numbers are little-endian.
public struct ByteReader {
    /// What was not taken yet.
    public private(set) var rest: Data

    public init(_ bytes: Data) { rest = bytes }

    public var isAtEnd: Bool { rest.isEmpty }

    public mutating func bytes(_ count: Int) throws(TermsError) -> Data {
        guard rest.count >= count else { throw .malformed("it ends after \(rest.count) of \(count) bytes") }
        defer { rest = rest.dropFirst(count) }
        return Data(rest.prefix(count))
    }

    public mutating func number<Number: FixedWidthInteger>(_ type: Number.Type) throws(TermsError) -> Number {
        try bytes(MemoryLayout<Number>.size).reversed().reduce(0) { $0 << 8 | Number(truncatingIfNeeded: $1) }
    }

    public mutating func uuid() throws(TermsError) -> UUID {
        let bytes = [UInt8](try bytes(16))
        return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }

    /// A person's name, in UTF-8 behind a byte that says how many bytes it has.
    public mutating func name() throws(TermsError) -> String {
        let count = Int(try number(UInt8.self))
        // `String(validating:as:)` keeps every byte; Foundation's initialisers drop a byte order mark.
        guard count <= OwnerName.limit, let name = String(validating: try bytes(count), as: UTF8.self) else {
            throw .malformed("a name is 1 to \(OwnerName.limit) bytes of UTF-8")
        }
        if let fault = OwnerName.fault(in: name) { throw .malformed(fault) }
        return name
    }

    public mutating func currency() throws(TermsError) -> Currency {
        guard let code = String(validating: try bytes(3), as: UTF8.self), let currency = Currency(code) else {
            throw .malformed("a currency is three capital letters")
        }
        return currency
    }
}

extension Data {
    /// Appends a number, little-endian.
    public mutating func append(number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }

    public mutating func append(uuid: UUID) {
        Swift.withUnsafeBytes(of: uuid.uuid) { append(contentsOf: $0) }
    }

    /// Appends text of at most 255 bytes behind its length.
    public mutating func append(text: String) {
        append(UInt8(text.utf8.count))
        append(contentsOf: text.utf8)
    }
}

/// What is wrong with bytes that should have been a token, a receipt or the like.
public enum TermsError: Error, Hashable, Sendable {
    case malformed(String)
    /// It is of a version that this one does not know.
    case unknownVersion(UInt8)
    /// The bank has not signed it, or it was changed since.
    case forged
}
