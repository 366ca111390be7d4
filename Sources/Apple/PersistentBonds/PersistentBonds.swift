import BluethroatBondDatabase
import BluethroatHost
import BluethroatLiveLoop
import BluethroatLivePhones

/// What `LivePhones` calls, if the program has it, when the process is configured to keep bonds.
@_cdecl("bluethroat_provide_persistent_bonds")
public func providePersistentBonds() {
    KeptBonds.provide { path in
        let database = try BondDatabase(path: path)
        let identity = try database.identity(named: "phone", otherwise: LocalIdentity.fromSystem)
        return KeptBonds(store: database, identity: identity)
    }
}
