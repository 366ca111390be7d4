package import BluethroatHost
import BluethroatWeakLinkHooks
import Synchronization

/// Bonds that survive the process, and who the phone is to those it is bonded with.
package struct KeptBonds: Sendable {
    package typealias Opener = @Sendable (_ path: String) throws -> KeptBonds

    package let store: any BondStore & Sendable
    package let identity: LocalIdentity

    package init(store: any BondStore & Sendable, identity: LocalIdentity) {
        self.store = store
        self.identity = identity
    }

    private static let opener = Mutex<Opener?>(nil)

    /// Says how such a file is opened.
    package static func provide(_ opener: @escaping Opener) { self.opener.withLock { $0 = opener } }

    static func open(_ path: String) throws -> KeptBonds {
        bluethroat_ask_for_persistent_bonds()
        guard let opener = opener.withLock({ $0 }) else {
            throw ProcessSettingsError(
                description: "BLUETHROAT_BONDS: this program was built without a place for bonds; add the product "
                    + "PersistentBonds of the package bluethroat to its target, or leave the variable out"
            )
        }
        return try opener(path)
    }
}
