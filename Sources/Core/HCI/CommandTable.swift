public import BluethroatByteCoding

/// The commands by their opcodes, made from their declarations.
enum CommandTable {
    struct Entry {
        let declaration: CommandDeclaration
        /// Nil for commands of which only the name is known.
        let type: (any HCICommand.Type)?
        let answer: CommandAnswer?
    }

    static let entries: [Opcode: Entry] = {
        var entries: [Opcode: Entry] = [:]
        for type in Command.types {
            entries[type.opcode] = Entry(declaration: type.declaration, type: type, answer: type.commandAnswer)
        }
        for declaration in CommandDeclaration.namesAlone {
            entries[declaration.opcode] = Entry(declaration: declaration, type: nil, answer: nil)
        }
        precondition(
            entries.count == Command.types.count + CommandDeclaration.namesAlone.count,
            "two commands have the same opcode"
        )
        return entries
    }()
}

extension Opcode {
    /// What is known of the command beside its parameters; nil for commands unknown here.
    public var declaration: CommandDeclaration? { CommandTable.entries[self]?.declaration }

    /// How a controller answers this command; nil for commands whose parameters are unknown here.
    public var answer: CommandAnswer? { CommandTable.entries[self]?.answer }
}

extension Opcode {
    /// The fields of the command's parameters; nil for commands whose parameters are unknown here.
    public var parameterFields: [FieldDescription]? { CommandTable.entries[self]?.type?.fieldDescriptions }

    /// The fields of what Command Complete returns for the command; nil for commands that are answered otherwise.
    public var returnFields: [FieldDescription]? {
        guard case .commandComplete = answer else { return nil }
        return CommandTable.entries[self]?.type?.returnFieldDescriptions
    }
}

extension Opcode: CustomStringConvertible {
    /// The specification's name for the command, or the number where it has none here: `opcode 0xFC01`.
    public var description: String {
        declaration?.name ?? "opcode 0x" + [UInt8(rawValue >> 8), UInt8(truncatingIfNeeded: rawValue)].hex.uppercased()
    }
}
