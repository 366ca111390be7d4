public import BluethroatByteCoding

/// A command from the host, with the 4 to 259 bytes it takes on the way. Core 6.0, Vol 4, Part E, 5.4.1.
public enum Command: Sendable {
    case known(any HCICommand)
    /// A command of a vendor's, of another part of Bluetooth, or of tomorrow.
    case unknown(Opcode, parameters: [UInt8])

    public init(_ parameters: some HCICommand) { self = .known(parameters) }

    /// The parameters that belong to an opcode; all bytes must belong to them.
    public init(_ opcode: Opcode, parameters bytes: inout RawSpan) throws(DecodeError) {
        if let type = CommandTable.entries[opcode]?.type {
            self = .known(try type.init(parsing: &bytes))
        } else {
            self = .unknown(opcode, parameters: bytes.takeRest())
        }
        try bytes.expectEnd()
    }

    /// Which command this is.
    public var opcode: Opcode {
        switch self {
        case .known(let command): type(of: command).opcode
        case .unknown(let opcode, _): opcode
        }
    }

    /// The parameters, if this is a command of that type.
    public func parameters<Parameters: HCICommand>(as type: Parameters.Type = Parameters.self) -> Parameters? {
        if case .known(let command) = self { command as? Parameters } else { nil }
    }

    /// Writes the parameters alone.
    public func writeParameters(to out: inout [UInt8]) {
        switch self {
        case .known(let command): command.write(to: &out)
        case .unknown(_, let parameters): out.append(contentsOf: parameters)
        }
    }
}

extension Command: Hashable {
    public static func == (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.known(let left), .known(let right)): AnyHashable(left) == AnyHashable(right)
        case (.unknown(let left, let first), .unknown(let right, let second)): left == right && first == second
        case (.known, .unknown), (.unknown, .known): false
        }
    }

    public func hash(into hasher: inout Hasher) {
        switch self {
        case .known(let command): command.hash(into: &hasher)
        case .unknown(let opcode, let parameters):
            hasher.combine(opcode)
            hasher.combine(parameters)
        }
    }
}
