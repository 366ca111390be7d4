public import Foundation

/// Values to data and back. Data that is too short, or that means nothing, is nil; what is too much is ignored.
public struct SerDe {
    /// Nil if the text cannot be written in this encoding.
    public static func serialize(_ value: String, encoding: String.Encoding = .utf8) -> Data? {
        Data.fromString(value, encoding: encoding)
    }

    /// Nil if the bytes are no text in this encoding.
    public static func deserialize(_ data: Data, encoding: String.Encoding = .utf8) -> String? {
        String(data: data, encoding: encoding)
    }

    // MARK: Numbers

    public static func deserialize<T: Deserializable>(_ data: Data) -> T? { T.deserialize(data) }

    public static func deserialize<T: Deserializable>(_ data: Data) -> [T] { T.deserialize(data) }

    public static func serialize<T: Deserializable>(_ value: T) -> Data { Data.serialize(value) }

    public static func serialize<T: Deserializable>(_ values: [T]) -> Data { Data.serializeArray(values) }

    // MARK: What is made of numbers

    public static func deserialize<T: RawDeserializable>(_ data: Data) -> T? where T.RawType: Deserializable {
        T.RawType.deserialize(data).flatMap { T(rawValue: $0) }
    }

    public static func serialize<T: RawDeserializable>(_ value: T) -> Data { Data.serialize(value.rawValue) }

    /// All of the data is decoded and left to the initialiser, if it is as long as `T.size` at least.
    public static func deserialize<T: RawArrayDeserializable>(_ data: Data) -> T? where T.RawType: Deserializable {
        guard data.count >= T.size else { return nil }
        return T(rawValue: T.RawType.deserialize(data))
    }

    public static func serialize<T: RawArrayDeserializable>(_ value: T) -> Data { Data.serializeArray(value.rawValue) }

    public static func deserialize<T: RawPairDeserializable>(_ data: Data) -> T?
    where T.RawType1: Deserializable, T.RawType2: Deserializable {
        guard let first = T.RawType1.deserialize(data),
            let second = T.RawType2.deserialize(data, start: T.RawType1.size)
        else { return nil }
        return T(rawValue1: first, rawValue2: second)
    }

    public static func serialize<T: RawPairDeserializable>(_ value: T) -> Data {
        Data.serialize(value.rawValue1, value2: value.rawValue2)
    }

    public static func deserialize<T: RawArrayPairDeserializable>(_ data: Data) -> T?
    where T.RawType1: Deserializable, T.RawType2: Deserializable {
        let (size1, size2) = (T.size1, T.size2)
        guard size1 >= 0, size2 >= 0, data.count >= size1, data.count - size1 >= size2 else { return nil }
        return T(
            rawValue1: T.RawType1.deserialize(Data(data.prefix(size1))),
            rawValue2: T.RawType2.deserialize(Data(data.dropFirst(size1).prefix(size2)))
        )
    }

    public static func serialize<T: RawArrayPairDeserializable>(_ value: T) -> Data {
        Data.serializeArrays(value.rawValue1, values2: value.rawValue2)
    }
}
