package import BluethroatEvents
package import BluethroatWorkstationLogin

/// How words of the command line become what they mean; what is none is a failure that says so.
package enum LoginWords {
    @Sendable package static func desk(_ text: String) throws(OperationFailure) -> DeskIdentifier {
        guard let identifier = DeskIdentifier(typed: text) else {
            throw OperationFailure("\"\(text)\" is no desk; a desk has four digits, such as 4711", .wrongUsage)
        }
        return identifier
    }

    @Sendable package static func code(_ text: String) throws(OperationFailure) -> Desk.Settings.CodePolicy {
        guard let policy = Desk.Settings.CodePolicy(rawValue: text) else {
            throw OperationFailure("--code is first-time or always, not \"\(text)\"", .wrongUsage)
        }
        return policy
    }

    @Sendable package static func away(_ text: String) throws(OperationFailure) -> LoginSettings.WalkingAway {
        guard let way = LoginSettings.WalkingAway(rawValue: text) else {
            throw OperationFailure("--away is nothing, lock or end, not \"\(text)\"", .wrongUsage)
        }
        return way
    }
}
