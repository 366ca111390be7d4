public import Foundation

/// A characteristic whose value is made of one number.
public final class RawCharacteristicProfile<
    DeserializedType: RawDeserializable & StringDeserializable & CharacteristicConfigurable
>: CharacteristicProfile, @unchecked Sendable where DeserializedType.RawType: Deserializable {
    public init() { super.init(configuredBy: DeserializedType.self) }

    public override var stringValues: [String] { DeserializedType.stringValues }

    public override func stringValue(_ data: Data) -> [String: String]? {
        let value: DeserializedType? = SerDe.deserialize(data)
        return value?.stringValue
    }

    public override func data(fromString data: [String: String]) -> Data? {
        DeserializedType(stringValue: data).map { SerDe.serialize($0) }
    }
}

/// A characteristic whose value is made of several numbers of one type.
public final class RawArrayCharacteristicProfile<
    DeserializedType: RawArrayDeserializable & StringDeserializable & CharacteristicConfigurable
>: CharacteristicProfile, @unchecked Sendable where DeserializedType.RawType: Deserializable {
    public init() { super.init(configuredBy: DeserializedType.self) }

    public override var stringValues: [String] { DeserializedType.stringValues }

    public override func stringValue(_ data: Data) -> [String: String]? {
        let value: DeserializedType? = SerDe.deserialize(data)
        return value?.stringValue
    }

    public override func data(fromString data: [String: String]) -> Data? {
        DeserializedType(stringValue: data).map { SerDe.serialize($0) }
    }
}

/// A characteristic whose value is made of two numbers.
public final class RawPairCharacteristicProfile<
    DeserializedType: RawPairDeserializable & StringDeserializable & CharacteristicConfigurable
>: CharacteristicProfile, @unchecked Sendable
where DeserializedType.RawType1: Deserializable, DeserializedType.RawType2: Deserializable {
    public init() { super.init(configuredBy: DeserializedType.self) }

    public override var stringValues: [String] { DeserializedType.stringValues }

    public override func stringValue(_ data: Data) -> [String: String]? {
        let value: DeserializedType? = SerDe.deserialize(data)
        return value?.stringValue
    }

    public override func data(fromString data: [String: String]) -> Data? {
        DeserializedType(stringValue: data).map { SerDe.serialize($0) }
    }
}

/// A characteristic whose value is made of several numbers of one type, and several of another.
public final class RawArrayPairCharacteristicProfile<
    DeserializedType: RawArrayPairDeserializable & StringDeserializable & CharacteristicConfigurable
>: CharacteristicProfile, @unchecked Sendable
where DeserializedType.RawType1: Deserializable, DeserializedType.RawType2: Deserializable {
    public init() { super.init(configuredBy: DeserializedType.self) }

    public override var stringValues: [String] { DeserializedType.stringValues }

    public override func stringValue(_ data: Data) -> [String: String]? {
        let value: DeserializedType? = SerDe.deserialize(data)
        return value?.stringValue
    }

    public override func data(fromString data: [String: String]) -> Data? {
        DeserializedType(stringValue: data).map { SerDe.serialize($0) }
    }
}
