public import Foundation

/// A value of a fixed number of bytes that can be read from data.
public protocol Deserializable {
    /// How many bytes it takes.
    static var size: Int { get }

    /// The value at the beginning; nil if there are fewer bytes than `size`. What follows is ignored.
    static func deserialize(_ data: Data) -> Self?

    /// The value that begins `start` bytes after the beginning; nil if it does not fit.
    static func deserialize(_ data: Data, start: Int) -> Self?

    /// As many values as fit; what is left over is dropped.
    static func deserialize(_ data: Data) -> [Self]
}

extension Deserializable where Self: FixedWidthInteger {
    public static var size: Int { MemoryLayout<Self>.size }

    public static func deserialize(_ data: Data) -> Self? { deserialize(data, start: 0) }

    /// Least significant byte first, whatever the machine.
    public static func deserialize(_ data: Data, start: Int) -> Self? {
        guard start >= 0, start <= data.count - size else { return nil }
        let first = data.startIndex + start
        return data[first..<first + size].reversed().reduce(into: Self.zero) { value, byte in
            // A value of eight bits cannot be shifted by eight.
            value = (Self.bitWidth > 8 ? value << 8 : 0) | Self(truncatingIfNeeded: byte)
        }
    }

    public static func deserialize(_ data: Data) -> [Self] {
        (0..<data.count / size).compactMap { deserialize(data, start: $0 * size) }
    }
}

extension Int8: Deserializable {}
extension UInt8: Deserializable {}
extension Int16: Deserializable {}
extension UInt16: Deserializable {}
extension Int32: Deserializable {}
extension UInt32: Deserializable {}
