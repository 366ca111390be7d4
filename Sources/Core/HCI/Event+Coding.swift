import BluethroatByteCoding

/// Something that is done with an event in its own type.
protocol EventVisitor {
    associatedtype Result
    mutating func visit<Parameters: HCIEvent>(_ event: Parameters) -> Result
    mutating func visit(unknown identifier: EventIdentifier, parameters: [UInt8]) -> Result
}

extension Event {
    static func parse(_ code: EventCode, _ bytes: inout RawSpan) throws(DecodeError) -> Event {
        let subevent = code == .leMeta ? LESubeventCode(rawValue: try bytes.takeUInt8()) : nil
        guard let type = EventTable.type(EventIdentifier(code, subevent: subevent)) else {
            return .unknown(code, subevent: subevent, parameters: bytes.takeRest())
        }
        return try type.parse(&bytes)
    }

    /// Writes the parameters alone; for an LE Meta event without the subevent code.
    func writeParameters(to out: inout [UInt8]) {
        // The buffer is lent to the visitor, so that it is not copied.
        var writer = Writer(out: out)
        out = []
        accept(&writer)
        out = writer.out
    }

    /// Which event this is.
    public var identifier: EventIdentifier {
        var reader = IdentifierReader()
        return accept(&reader)
    }

    /// The event's number.
    public var code: EventCode { identifier.code }

    /// The number within the LE Meta events; nil for all others.
    public var subevent: LESubeventCode? { identifier.subevent }

    private struct Writer: EventVisitor {
        var out: [UInt8]

        mutating func visit(_ event: some HCIEvent) { event.write(to: &out) }

        mutating func visit(unknown identifier: EventIdentifier, parameters: [UInt8]) { out += parameters }
    }

    private struct IdentifierReader: EventVisitor {
        func visit<Parameters: HCIEvent>(_ event: Parameters) -> EventIdentifier { Parameters.identifier }

        func visit(unknown identifier: EventIdentifier, parameters: [UInt8]) -> EventIdentifier { identifier }
    }
}
