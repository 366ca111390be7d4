import BluethroatHost
import CoreBluetooth

// Descriptors that have their values themselves. The device answers reads and writes of them, and the delegate of the
// specification is not asked. `value` is what was written last.

/// Characteristic User Description: text for people.
open class CBMUserDescriptionDescriptorMock: CBMDescriptorMock, @unchecked Sendable {
    /// - Parameters:
    ///   - text: at most 512 bytes of UTF-8.
    ///   - isWritable: whether centrals may change it. The extended properties of the characteristic should say so.
    public init(_ text: String, isWritable: Bool = false) {
        super.init(
            type: CBMUUID(string: CBUUIDCharacteristicUserDescriptionString),
            value: text,
            stored: .text(text, isWritable: isWritable)
        )
    }
}

/// Characteristic Extended Properties.
open class CBMExtendedPropertiesDescriptorMock: CBMDescriptorMock, @unchecked Sendable {
    /// - Parameters:
    ///   - reliableWrite: the value may be written with the reliable procedure.
    ///   - writableAuxiliaries: the user description may be written.
    public init(reliableWrite: Bool = false, writableAuxiliaries: Bool = false) {
        var properties: ExtendedProperties = []
        if reliableWrite { properties.insert(.reliableWrite) }
        if writableAuxiliaries { properties.insert(.writableAuxiliaries) }
        super.init(
            type: CBMUUID(string: CBUUIDCharacteristicExtendedPropertiesString),
            value: NSNumber(value: properties.rawValue),
            stored: .extendedProperties(properties)
        )
    }
}

/// Server Characteristic Configuration: whether the value is broadcast, one setting for all centrals. A characteristic
/// without the property `broadcast` refuses the bit.
open class CBMServerCharacteristicConfigurationDescriptorMock: CBMDescriptorMock, @unchecked Sendable {
    public init() {
        super.init(
            type: CBMUUID(string: CBUUIDServerCharacteristicConfigurationString),
            value: NSNumber(value: 0),
            stored: .serverConfiguration
        )
    }
}

/// Characteristic Presentation Format: how the value is to be understood.
open class CBMPresentationFormatDescriptorMock: CBMDescriptorMock, @unchecked Sendable {
    /// - Parameters:
    ///   - format: the type of the value, from the Assigned Numbers, 2.4.1.
    ///   - exponent: the power of ten that an integer is multiplied with.
    ///   - unit: a 16-bit UUID from the Assigned Numbers, 3.5.
    ///   - namespace: whose `description` it is; 1 is the Bluetooth SIG.
    ///   - description: a number of that namespace.
    public init(format: UInt8, exponent: Int8 = 0, unit: UInt16, namespace: UInt8 = 1, description: UInt16 = 0) {
        let format = PresentationFormat(
            format: format,
            exponent: exponent,
            unit: unit,
            namespace: namespace,
            description: description
        )
        super.init(
            type: CBMUUID(string: CBUUIDCharacteristicFormatString),
            value: Data(format.bytes),
            stored: .presentationFormat(format)
        )
    }
}

/// What the device keeps of a descriptor and answers by itself.
enum StoredDescriptor {
    case text(String, isWritable: Bool)
    case extendedProperties(ExtendedProperties)
    case serverConfiguration
    case presentationFormat(PresentationFormat)
    case other(Data, isWritable: Bool)

    /// The value as CoreBluetooth shows it, from its bytes.
    func shown(_ bytes: [UInt8]) -> Any {
        switch self {
        case .text: String(decoding: bytes, as: UTF8.self)
        case .extendedProperties, .serverConfiguration:
            NSNumber(value: bytes.prefix(2).reversed().reduce(UInt16(0)) { $0 << 8 | UInt16($1) })
        case .presentationFormat, .other: Data(bytes)
        }
    }
}
