import BluethroatHost
import Foundation
import FuzzInputs
import GRDB

@testable import BluethroatBondDatabase

/// Rows of a bond file, with values of any type and checksums that fit for the most part.
enum BondFuzzTargets {
    static let all = [bonds, identities]

    /// A row is read, or is damaged; what is read is written as values that are read as the same.
    static let bonds = FuzzTarget(machine: "bond-rows", upTo: 400) { input in
        guard let record = try? BondRecord.checked(row(BondRecord.columns, like: sample, &input)) else { return }
        let again = try BondRecord.checked(row(BondRecord.columns, record.values))
        hold(again.bond == record.bond, "a bond is kept as another")
    }

    static let identities = FuzzTarget(machine: "identity-rows", upTo: 200) { input in
        let like: [DatabaseValue] = [
            "name".databaseValue, "random".databaseValue, "C0:DE:00:00:00:01".databaseValue,
            Data(count: 16).databaseValue,
        ]
        guard let record = try? IdentityRecord.checked(row(IdentityRecord.columns, like: like, &input)) else { return }
        let again = try IdentityRecord.checked(row(IdentityRecord.columns, record.values))
        hold(again.identity.address == record.identity.address, "an identity is kept as another")
    }

    private static let sample: [DatabaseValue] =
        ["public", "00:11:22:33:44:55", "random", "C0:DE:00:00:00:01", "fob", "network"].map(\.databaseValue)
        + [Data(count: 26) + [16, 3], Data(count: 26) + [7, 0]].map(\.databaseValue)
        + (0..<3).map { _ in Data(count: 16).databaseValue } + [1.databaseValue, 2.databaseValue]
        + [Data([1, 0, 1]).databaseValue, 1.databaseValue, Data(count: 16).databaseValue]

    private static func row(_ columns: [String], like sample: [DatabaseValue], _ input: inout FuzzInput) -> Row {
        var values = sample
        while !input.isEmpty { values[input.index(values.count)] = value(&input) }
        return row(columns, values)
    }

    /// The row with its checksum, which someone who writes the file can compute as well.
    private static func row(_ columns: [String], _ values: [DatabaseValue]) -> Row {
        var checksum = RowChecksum()
        for value in values { checksum.add(value) }
        let named = zip(columns, values).map { ($0, $1) } + [("checksum", Data(checksum.value).databaseValue)]
        return Row(Dictionary(uniqueKeysWithValues: named.map { ($0.0, $0.1 as (any DatabaseValueConvertible)?) }))
    }

    private static func value(_ input: inout FuzzInput) -> DatabaseValue {
        let texts = ["public", "random", "network", "device", "00:11:22:33:44:55", "C0:DE:00:00:00:01", ""]
        return switch input.index(8) {
        case 0: .null
        case 1: Int64(bitPattern: input.next()).databaseValue
        case 2: Double(bitPattern: input.next()).databaseValue
        case 3: input.pick(texts).databaseValue
        case 4: String(decoding: input.bytes(input.index(20)), as: UTF8.self).databaseValue
        case 5: Data(input.bytes(28)).databaseValue
        case 6: Int64(input.byte()).databaseValue
        default: Data(input.bytes(input.index(40))).databaseValue
        }
    }
}
