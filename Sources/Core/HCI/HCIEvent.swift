public import BluethroatByteCoding

/// An event of the controller: all that is known about it, declared once. Beside it stand a case of `Event` and the line
/// in `Event.types` from which the tables follow. Core 6.0, Vol 4, Part E, 7.7.
public protocol HCIEvent: FieldDescribed, Hashable, Sendable {
    static var identifier: EventIdentifier { get }
    /// The name in the Core Specification.
    static var name: String { get }
    /// The bit that lets the event through; nil for events that cannot be masked. Those of LE Meta events follow from
    /// their numbers.
    static var maskBit: EventMaskBit? { get }

    /// Reads the parameters from the front of a span.
    init(parsing bytes: inout RawSpan) throws(DecodeError)

    /// Appends the parameters.
    func write(to out: inout [UInt8])

    /// This event among all events.
    var event: Event { get }

    /// Reads the parameters as one of all events.
    static func parse(_ bytes: inout RawSpan) throws(DecodeError) -> Event
}

extension HCIEvent {
    public static var maskBit: EventMaskBit? { nil }

    public static func parse(_ bytes: inout RawSpan) throws(DecodeError) -> Event { try Self(parsing: &bytes).event }
}

/// The events by their numbers, made from `Event.types`.
enum EventTable {
    private static let byCode = table { $0.identifier.subevent == nil ? $0.identifier.code.rawValue : nil }
    private static let bySubevent = table { $0.identifier.subevent?.rawValue }

    static func type(_ identifier: EventIdentifier) -> (any HCIEvent.Type)? {
        if let subevent = identifier.subevent { return bySubevent[Int(subevent.rawValue)] }
        return byCode[Int(identifier.code.rawValue)]
    }

    private static func table(_ index: (any HCIEvent.Type) -> UInt8?) -> [(any HCIEvent.Type)?] {
        var table = [(any HCIEvent.Type)?](repeating: nil, count: 256)
        for type in Event.types {
            guard let index = index(type).map(Int.init) else { continue }
            precondition(table[index] == nil, "two events have the same number")
            table[index] = type
        }
        return table
    }
}

extension EventIdentifier {
    /// The fields of the event's parameters, without the second number; nil for events unknown here.
    public var parameterFields: [FieldDescription]? { EventTable.type(self)?.fieldDescriptions }
}

extension EventIdentifier: CustomStringConvertible {
    /// The specification's name for the event, or the numbers where it has none here: `event 0xFF`.
    public var description: String {
        EventTable.type(self)?.name
            ?? "event 0x" + [code.rawValue].hex.uppercased()
            + (subevent.map { " 0x" + [$0.rawValue].hex.uppercased() } ?? "")
    }
}
