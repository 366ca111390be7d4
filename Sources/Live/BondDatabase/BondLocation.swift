public import BluethroatEvents
import Foundation

/// The file in which a user's bonds are kept: a named one, or the usual one.
public struct BondLocation: Hashable, Sendable {
    private let named: String?

    /// - Parameter path: nil for `bluethroat/bonds.sqlite` in $XDG_STATE_HOME or ~/.local/state.
    public init(_ path: String? = nil) { named = path }

    /// Whether the file was named explicitly.
    public var isExplicit: Bool { named != nil }

    /// Where the file is.
    public func path() throws(OperationFailure) -> String {
        if let named { return named }
        guard let standard = BondFileLocation.standard(environment: ProcessInfo.processInfo.environment) else {
            throw OperationFailure("there is no home directory to keep bonds in; give a file with --bonds", .wrongUsage)
        }
        return standard
    }

    /// Opens the file, and makes it if there is none. `warn` is called for a damaged one.
    public func open(warn: (String) -> Void) throws(OperationFailure) -> BondDatabase {
        let path = try path()
        do throws(BondDatabaseError) {
            let database = try BondDatabase(path: path)
            if let damage = database.damage { warn(damage.sentence) }
            return database
        } catch {
            throw OperationFailure("\(error)")
        }
    }

    /// Opens the file if there is one. `warn` is called for a damaged one.
    public func existing(warn: (String) -> Void) throws(OperationFailure) -> BondDatabase? {
        let path = try path()
        do throws(BondDatabaseError) {
            let database = try BondDatabase.existing(path: path)
            if let damage = database?.damage { warn(damage.sentence) }
            return database
        } catch {
            throw OperationFailure("\(error)")
        }
    }

    /// The same for those who can do without bonds: the usual file, if it cannot be used, is warned of.
    public func optional(
        creating: Bool,
        without consequence: String,
        warn: (String) -> Void
    ) throws(OperationFailure) -> BondDatabase? {
        do throws(OperationFailure) {
            return creating ? try open(warn: warn) : try existing(warn: warn)
        } catch {
            guard !isExplicit else { throw error }
            warn("\(error.message); \(consequence)")
            return nil
        }
    }
}

extension BondDatabase.Damage {
    /// One line that says what happened and where the file is now.
    fileprivate var sentence: String {
        "\(path) was damaged (\(reason)); it was moved to \(movedTo), and a new file without bonds has taken its place"
    }
}
