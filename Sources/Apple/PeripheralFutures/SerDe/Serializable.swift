public import Foundation

/// What data can be made from.
public protocol Serializable {
    /// Nil if the text cannot be written in this encoding.
    static func fromString(_ value: String, encoding: String.Encoding) -> Data?

    static func serialize<T>(_ value: T) -> Data
    static func serialize<T>(_ values: [T]) -> Data
    static func serialize<T1, T2>(_ value1: T1, value2: T2) -> Data
    static func serialize<T1, T2>(_ value1: [T1], value2: [T2]) -> Data
}

/// Integers are written least significant byte first. Other plain values, such as structures of integers, are written
/// as they are in memory; values that are not plain, such as text and objects, have no bytes of their own to write, and
/// stop the process.
extension Data: Serializable {
    public static func fromString(_ value: String, encoding: String.Encoding = .utf8) -> Data? {
        value.data(using: encoding)
    }

    public static func serialize<T>(_ value: T) -> Data {
        if let integer = value as? any FixedWidthInteger { return littleEndian(integer) }
        precondition(
            _isPOD(T.self),
            "a value of type \(T.self) cannot be written byte by byte; make it RawDeserializable, or serialize its parts"
        )
        return Swift.withUnsafeBytes(of: value) { Data($0) }
    }

    public static func serialize<T>(_ values: [T]) -> Data { values.reduce(into: Data()) { $0 += serialize($1) } }

    public static func serialize<T1, T2>(_ value1: T1, value2: T2) -> Data { serialize(value1) + serialize(value2) }

    public static func serialize<T1, T2>(_ value1: [T1], value2: [T2]) -> Data {
        // Named, since an array is a value, too.
        let first: Data = serializeArray(value1)
        return first + serializeArray(value2)
    }

    /// The values one after the other.
    public static func serializeArray<T>(_ values: [T]) -> Data { serialize(values) }

    /// The first values one after the other, and then the second.
    public static func serializeArrays<T1, T2>(_ values1: [T1], values2: [T2]) -> Data {
        serialize(values1, value2: values2)
    }

    private static func littleEndian<Integer: FixedWidthInteger>(_ integer: Integer) -> Data {
        Swift.withUnsafeBytes(of: integer.littleEndian) { Data($0) }
    }
}
