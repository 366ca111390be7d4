internal import Foundation

/// A characteristic whose value is made of one number.
public final class RawCharacteristicProfile<
    DeserializedType: RawDeserializable & StringDeserializable & CharacteristicConfigurable
>: CharacteristicProfile, @unchecked Sendable where DeserializedType.RawType: Deserializable {
    public init() {
        super.init(
            ValueTexts<DeserializedType>(reading: { SerDe.deserialize($0) }, writing: { SerDe.serialize($0) })
        )
    }
}

/// A characteristic whose value is made of several numbers of one type.
public final class RawArrayCharacteristicProfile<
    DeserializedType: RawArrayDeserializable & StringDeserializable & CharacteristicConfigurable
>: CharacteristicProfile, @unchecked Sendable where DeserializedType.RawType: Deserializable {
    public init() {
        super.init(
            ValueTexts<DeserializedType>(reading: { SerDe.deserialize($0) }, writing: { SerDe.serialize($0) })
        )
    }
}

/// A characteristic whose value is made of two numbers.
public final class RawPairCharacteristicProfile<
    DeserializedType: RawPairDeserializable & StringDeserializable & CharacteristicConfigurable
>: CharacteristicProfile, @unchecked Sendable
where DeserializedType.RawType1: Deserializable, DeserializedType.RawType2: Deserializable {
    public init() {
        super.init(
            ValueTexts<DeserializedType>(reading: { SerDe.deserialize($0) }, writing: { SerDe.serialize($0) })
        )
    }
}

/// A characteristic whose value is made of several numbers of one type, and several of another.
public final class RawArrayPairCharacteristicProfile<
    DeserializedType: RawArrayPairDeserializable & StringDeserializable & CharacteristicConfigurable
>: CharacteristicProfile, @unchecked Sendable
where DeserializedType.RawType1: Deserializable, DeserializedType.RawType2: Deserializable {
    public init() {
        super.init(
            ValueTexts<DeserializedType>(reading: { SerDe.deserialize($0) }, writing: { SerDe.serialize($0) })
        )
    }
}

/// How the values of a type are read from data and written to it, whatever they are made of.
struct ValueTexts<Value: StringDeserializable & CharacteristicConfigurable> {
    let reading: (Data) -> Value?
    let writing: (Value) -> Data
}
