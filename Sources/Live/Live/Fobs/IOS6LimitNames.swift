package import BluethroatKeyFobPhone

/// `all`, or names of limits with commas between them.
package struct IOS6LimitNames: Sendable, CustomStringConvertible {
    package private(set) var limits: IOS6Limits = []
    /// What is no name. Refused here, it would be taken for an argument of its own.
    package private(set) var unknown: String?

    package static let all = Self(argument: "all")
    /// Those of the app as it was published.
    package static let published = Self(argument: "linkLoss,writeWithoutResponse,deviceName")
    package static var names: String { table.map(\.name).joined(separator: ", ") }

    package init(argument: String) {
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

    package var description: String {
        limits == .all
            ? "all" : Self.table.filter { limits.contains($0.limit) }.map(\.name).joined(separator: ",")
    }

    private static let table: [(name: String, limit: IOS6Limits)] = [
        ("linkLoss", .linkLoss), ("writeWithoutResponse", .writeWithoutResponse), ("deviceName", .deviceName),
        ("backgroundServices", .backgroundServices),
    ]
}
