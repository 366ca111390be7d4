internal import GRDB

/// Whether books are such as a bank has written: checked once, when they are opened.
///
/// Columns of SQLite take values of any type, whatever they were declared as.
enum LedgerCheck {
    /// What is wrong with the tables, nil if nothing is.
    static func fault(_ database: Database) throws -> String? {
        let found = try String.fetchAll(database, sql: "PRAGMA quick_check(1)")
        guard found == ["ok"] else {
            return "it is damaged (\(found.first.map(LedgerError.oneLine) ?? "nothing is said of how"))"
        }
        let wanted = try DatabaseQueue().write { fresh in
            try LedgerSchema.make(fresh)
            return try definitions(fresh)
        }
        guard try definitions(database) == wanted else { return "its tables are not as a bank makes them" }
        return try typeFault(database)
    }

    /// What is wrong with the types of values, in books of this version, nil if nothing is.
    static func typeFault(_ database: Database, version: Int32 = LedgerSchema.version) throws -> String? {
        for (table, columns) in types {
            // Version 1 kept orders whole, and not when an account was opened.
            let known = columns.filter { version > 1 || $0.key != "opened" }
            let odd = known.map { column, types in
                "typeof(\(version == 1 && column == "digest" ? "request" : column)) NOT IN (\(types))"
            }.joined(separator: " OR ")
            if try Bool.fetchOne(database, sql: "SELECT EXISTS (SELECT 1 FROM \(table) WHERE \(odd))") == true {
                return "there are values of a wrong type in its table \(table)"
            }
        }
        return nil
    }

    private static let types: [(String, KeyValuePairs<String, String>)] = [
        ("bank", ["key": "'blob'"]),
        (
            "account",
            [
                "id": "'text'", "name": "'text'", "currency": "'text'", "secretHash": "'blob'", "opening": "'integer'",
                "balance": "'integer'", "opened": "'integer'",
            ]
        ),
        ("token", ["id": "'text'", "account": "'text'", "expiry": "'integer'"]),
        (
            "transfer",
            [
                "id": "'text'", "payer": "'text'", "digest": "'blob'", "amount": "'integer'", "currency": "'text'",
                "refusal": "'text', 'null'", "payee": "'text', 'null'", "receipt": "'blob', 'null'",
                "time": "'integer'", "isSeen": "'integer'",
            ]
        ),
        ("entry", ["transfer": "'integer'", "account": "'text'", "amount": "'integer'"]),
    ]

    /// The text of everything in the database, in the order of names.
    private static func definitions(_ database: Database) throws -> [[String?]] {
        try Row.fetchAll(database, sql: "SELECT type, name, sql FROM sqlite_master ORDER BY type, name").map {
            [$0["type"], $0["name"], $0["sql"]]
        }
    }
}
