/// Something for each of some commands. It is found by counting, not by hashing: hosts and controllers look it up with
/// every command.
package struct OpcodeTable<Value: Sendable>: Sendable {
    /// A row for each group, with a place for each command up to the last one that is there.
    @usableFromInline
    package private(set) var rows: [[Value?]] = []

    /// One value for each opcode.
    package init(_ values: some Sequence<(Opcode, Value)>) {
        for (opcode, value) in values {
            let group = Int(opcode.group), command = Int(opcode.command)
            while rows.count <= group { rows.append([]) }
            while rows[group].count <= command { rows[group].append(nil) }
            precondition(rows[group][command] == nil, "two commands have the same opcode")
            rows[group][command] = value
        }
    }

    @inlinable
    package subscript(opcode: Opcode) -> Value? {
        let group = Int(opcode.group), command = Int(opcode.command)
        guard group < rows.count, command < rows[group].count else { return nil }
        return rows[group][command]
    }
}
