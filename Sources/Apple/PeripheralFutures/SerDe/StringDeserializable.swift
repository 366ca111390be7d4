/// A characteristic's value that people can read and write.
public protocol StringDeserializable {
    /// The texts that are allowed; none where there are too many to list.
    static var stringValues: [String] { get }

    /// The parts of the value, each under its name.
    var stringValue: [String: String] { get }

    /// Nil if parts are missing, or do not say what they should.
    init?(stringValue: [String: String])
}

/// A choice has one text for each case, in their order, under the name of its characteristic.
extension StringDeserializable where Self: CharacteristicConfigurable & CaseIterable & Equatable {
    public var stringValue: [String: String] {
        for (choice, text) in zip(Self.allCases, Self.stringValues) where choice == self { return [Self.name: text] }
        return [:]
    }

    public init?(stringValue: [String: String]) {
        let wanted = stringValue[Self.name]
        for (choice, text) in zip(Self.allCases, Self.stringValues) where text == wanted {
            self = choice
            return
        }
        return nil
    }
}

extension [String: String] {
    /// The number that is written under a name.
    func number<Number: FixedWidthInteger>(_ name: String) -> Number? { self[name].flatMap { Number($0) } }
}
