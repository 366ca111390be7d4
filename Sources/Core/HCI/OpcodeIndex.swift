/// The places of some commands in a list. They are found by counting, not by hashing: hosts and controllers look one up with
/// every command. Of no generic type, since that would be looked at anew in each call from another module.
package struct OpcodeIndex: Sendable {
    /// A row for each group, with a place for each command up to the last one that is there.
    private var rows: [[Int?]] = []

    /// Each opcode once.
    package init(_ opcodes: some Sequence<Opcode>) {
        for (place, opcode) in opcodes.enumerated() {
            let group = Int(opcode.group), command = Int(opcode.command)
            while rows.count <= group { rows.append([]) }
            while rows[group].count <= command { rows[group].append(nil) }
            precondition(rows[group][command] == nil, "two commands have the same opcode")
            rows[group][command] = place
        }
    }

    /// Nil for a command that is not in the list.
    package subscript(opcode: Opcode) -> Int? {
        let group = Int(opcode.group), command = Int(opcode.command)
        guard group < rows.count, command < rows[group].count else { return nil }
        return rows[group][command]
    }
}
