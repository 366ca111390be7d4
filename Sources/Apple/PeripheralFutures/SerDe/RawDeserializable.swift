/// A characteristic's value that is made of one number or the like.
public protocol RawDeserializable {
    associatedtype RawType

    /// Of the characteristic.
    static var uuid: String { get }

    var rawValue: RawType { get }

    /// Nil if the number means nothing.
    init?(rawValue: RawType)
}

/// A characteristic's value that is made of several numbers of one type.
public protocol RawArrayDeserializable {
    associatedtype RawType

    /// Of the characteristic.
    static var uuid: String { get }

    /// How many bytes there have to be.
    static var size: Int { get }

    var rawValue: [RawType] { get }

    /// Nil if the numbers mean nothing.
    init?(rawValue: [RawType])
}

/// A characteristic's value that is made of two numbers, each of its own type.
public protocol RawPairDeserializable {
    associatedtype RawType1
    associatedtype RawType2

    /// Of the characteristic.
    static var uuid: String { get }

    var rawValue1: RawType1 { get }
    var rawValue2: RawType2 { get }

    /// Nil if the numbers mean nothing.
    init?(rawValue1: RawType1, rawValue2: RawType2)
}

/// A characteristic's value that is made of several numbers of one type, and several of another behind them.
public protocol RawArrayPairDeserializable {
    associatedtype RawType1
    associatedtype RawType2

    /// Of the characteristic.
    static var uuid: String { get }

    /// How many bytes the numbers of the first type take.
    static var size1: Int { get }

    /// How many bytes the numbers of the second type take.
    static var size2: Int { get }

    var rawValue1: [RawType1] { get }
    var rawValue2: [RawType2] { get }

    /// Nil if the numbers mean nothing.
    init?(rawValue1: [RawType1], rawValue2: [RawType2])
}
