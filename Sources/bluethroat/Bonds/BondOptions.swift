import ArgumentParser
import BondDatabase
import Foundation

/// Where bonds are kept.
struct BondOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Where bonds are kept (default: bluethroat/bonds.sqlite in $XDG_STATE_HOME or ~/.local/state).",
            valueName: "file"
        )
    )
    var bonds: String?

    func validate() throws {
        if let bonds, bonds.isEmpty { throw ValidationError("--bonds wants the name of a file") }
    }

    /// Whether somebody has said which file it is to be.
    var isExplicit: Bool { bonds != nil }

    /// The file.
    func path() throws(CommandFailure) -> String {
        if let bonds { return bonds }
        guard let standard = BondFileLocation.standard(environment: ProcessInfo.processInfo.environment) else {
            throw CommandFailure("there is no home directory to keep bonds in; give a file with --bonds", .wrongUsage)
        }
        return standard
    }

    /// Opens the file, and makes it if there is none. `warn` hears of a damaged one.
    func open(warn: (String) -> Void) throws(CommandFailure) -> BondDatabase {
        let path = try path()
        do throws(BondDatabaseError) {
            let database = try BondDatabase(path: path)
            if let damage = database.damage { warn(damage.sentence) }
            return database
        } catch {
            throw CommandFailure("\(error)")
        }
    }

    /// Opens the file if there is one. `warn` hears of a damaged one.
    func existing(warn: (String) -> Void) throws(CommandFailure) -> BondDatabase? {
        let path = try path()
        do throws(BondDatabaseError) {
            let database = try BondDatabase.existing(path: path)
            if let damage = database?.damage { warn(damage.sentence) }
            return database
        } catch {
            throw CommandFailure("\(error)")
        }
    }

    /// The same for commands that can do without bonds: a standard file that cannot be used is warned of.
    func optional(
        creating: Bool,
        without consequence: String,
        warn: (String) -> Void
    ) throws(CommandFailure) -> BondDatabase? {
        do throws(CommandFailure) {
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
    var sentence: String {
        "\(path) was damaged (\(reason)); it was moved to \(movedTo), and a new file without bonds has taken its place"
    }
}
