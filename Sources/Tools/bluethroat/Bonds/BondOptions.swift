import ArgumentParser
import BluethroatBondDatabase

/// Where bonds are kept.
struct BondOptions: ParsableArguments {
    @Option(file: "Where bonds are kept (default: bluethroat/bonds.sqlite in $XDG_STATE_HOME or ~/.local/state).")
    var bonds: String?

    func validate() throws {
        if let bonds, bonds.isEmpty { throw ValidationError("--bonds wants the name of a file") }
    }

    var file: BondLocation { BondLocation(bonds) }
}
