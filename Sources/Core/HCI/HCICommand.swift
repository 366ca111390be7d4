public import BluethroatByteCoding

/// A command of the host: all that is known about it, declared once. The type goes into `Command.types`, and every table
/// follows: names, parsing, answers, the Supported Commands mask, dissection. Core 6.0, Vol 4, Part E, 5.4.1.
public protocol HCICommand: FieldDescribed, Hashable, Sendable {
    /// What Command Complete carries. It says nothing about commands that are answered otherwise.
    associatedtype Return: ReturnParameters = StatusReturn

    /// Number, name and rules.
    static var declaration: CommandDeclaration { get }

    /// Reads the parameters from the front of a span.
    init(parsing bytes: inout RawSpan) throws(DecodeError)

    /// Appends the parameters.
    func write(to out: inout [UInt8])
}

/// What the Core Specification says of a command beside its parameters.
public struct CommandDeclaration: Sendable {
    /// The number.
    public let opcode: Opcode
    /// The name in the Core Specification.
    public let name: String
    /// The command's bit in the Supported Commands mask; nil where it has none. Core 6.0, Vol 4, Part E, 6.27.
    public let supportedBit: SupportedCommandsBit?
    /// The feature that it belongs to; nil where every LE controller has the command. Core 6.0, Vol 6, Part B, 4.6.
    public let feature: LEFeatures?
    /// How a controller answers.
    public let answer: AnswerForm

    /// The packet that answers a command. Core 6.0, Vol 4, Part E, 4.4 and 4.5.
    public enum AnswerForm: Hashable, Sendable {
        /// Command Complete, once the command is done.
        case commandComplete
        /// Command Status at once, and one of these events when the command is done.
        case commandStatus(then: [EventIdentifier])
        /// None, unless the command is refused.
        case nothing
    }

    @inlinable
    public init(
        _ opcode: Opcode,
        _ name: String,
        supportedBit: SupportedCommandsBit? = nil,
        feature: LEFeatures? = nil,
        answer: AnswerForm = .commandComplete
    ) {
        self.opcode = opcode
        self.name = name
        self.supportedBit = supportedBit
        self.feature = feature
        self.answer = answer
    }
}

extension HCICommand {
    @inlinable
    public static var opcode: Opcode { declaration.opcode }

    /// The whole command, its indicator first.
    @inlinable
    public func packet() -> [UInt8] {
        Command.packet(Self.opcode) { write(to: &$0) }
    }

    /// How a controller answers this command, with lengths that follow from the descriptions of the fields.
    static var commandAnswer: CommandAnswer {
        switch declaration.answer {
        case .commandComplete:
            let returned = Return.fieldDescriptions
            guard let count = returned.fixedByteCount else {
                preconditionFailure("the return parameters of \(declaration.name) have no fixed length")
            }
            // Command and answer begin with the same fields: a connection handle, a page number.
            let echoed = zip(fieldDescriptions, returned.dropFirst()).prefix { $0.name == $1.name }.map(\.0)
            return .commandComplete(returnCount: count, echoed: echoed.fixedByteCount ?? 0)
        case .commandStatus: return .commandStatus
        case .nothing: return .nothing
        }
    }

    static var returnFieldDescriptions: [FieldDescription] { Return.fieldDescriptions }
}
