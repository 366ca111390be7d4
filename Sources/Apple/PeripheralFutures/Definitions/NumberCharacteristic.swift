/// A characteristic that is a number, which people read and write under its name.
public protocol NumberCharacteristic: RawDeserializable, StringDeserializable, CharacteristicConfigurable
where RawType: FixedWidthInteger {
    var value: RawType { get }

    init(value: RawType)
}

extension NumberCharacteristic {
    public var rawValue: RawType { value }

    public init?(rawValue: RawType) { self.init(value: rawValue) }

    public static var stringValues: [String] { [] }

    public var stringValue: [String: String] { [Self.name: "\(value)"] }

    public init?(stringValue: [String: String]) {
        guard let value: RawType = stringValue.number(Self.name) else { return nil }
        self.init(value: value)
    }
}
