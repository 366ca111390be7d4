public import CoreBluetooth

/// Whether a sensor measures: a choice of 0, no, and 1, yes. At first it does not.
public protocol SensorTagSwitch: RawDeserializable, StringDeserializable, CharacteristicConfigurable, CaseIterable,
    Equatable
where RawType == UInt8 {
    static var no: Self { get }
    static var yes: Self { get }
}

extension SensorTagSwitch {
    public init(boolValue: Bool) { self = boolValue ? .yes : .no }

    public var boolValue: Bool { self == .yes }

    public static var properties: CBCharacteristicProperties { [.read, .write] }

    public static var initialValue: Data? { SerDe.serialize(no) }

    public static var stringValues: [String] { ["No", "Yes"] }
}
