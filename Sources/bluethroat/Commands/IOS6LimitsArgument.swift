import ArgumentParser
import KeyFobPhone

/// `all`, or names of limits with commas between them.
struct IOS6LimitsArgument: ExpressibleByArgument, CustomStringConvertible {
    private(set) var limits: IOS6Limits = []
    /// What is no name. Refused here, it would be taken for an argument of its own.
    private(set) var unknown: String?

    static let all = Self(argument: "all")
    static var names: String { table.map(\.name).joined(separator: ", ") }

    init(argument: String) {
        if argument == "all" {
            limits = .all
            return
        }
        for name in argument.split(separator: ",", omittingEmptySubsequences: false) {
            if let limit = Self.table.first(where: { $0.name == name })?.limit {
                limits.insert(limit)
            } else {
                unknown = unknown ?? "\"\(name)\""
            }
        }
    }

    var description: String {
        limits == .all
            ? "all" : Self.table.filter { limits.contains($0.limit) }.map(\.name).joined(separator: ",")
    }

    private static let table: [(name: String, limit: IOS6Limits)] = [
        ("linkLoss", .linkLoss), ("writeWithoutResponse", .writeWithoutResponse), ("deviceName", .deviceName),
        ("backgroundServices", .backgroundServices),
    ]
}
