import BluethroatBluetoothCrypto
import BluethroatBluetoothValues
public import BluethroatBondDatabase
public import BluethroatEvents
public import BluethroatHost
import BluethroatLiveLoop

/// The identity of a central for its bonded peers, and the bonds.
public struct CentralMemory: Sendable {
    /// What is wanted of the memory.
    public enum Use: Sendable {
        /// Goes by the bonds there are.
        case whatIsThere
        /// Bonds, and so has an identity that peers recognise later.
        case bonding
        /// Has no lasting identity.
        case none
    }

    package let database: BondDatabase
    /// The central's identity for its bonded peers.
    public let identity: LocalIdentity
    /// The bonds when the memory was opened.
    public let bonds: [Bond]

    /// Nil where the central has no lasting identity, and where there is no bond that needs one.
    public init?(_ use: Use, in file: BondLocation, warn: (String) -> Void) throws(OperationFailure) {
        let found: BondDatabase?
        switch use {
        case .none: return nil
        case .bonding: found = try file.open(warn: warn)
        case .whatIsThere:
            found = try file.optional(creating: false, without: "going on without bonds", warn: warn)
        }
        guard let found else { return nil }
        do throws(BondDatabaseError) {
            let known =
                use == .bonding
                ? try found.identity(named: Self.name, otherwise: LocalIdentity.fromSystem)
                : try found.identity(named: Self.name)
            guard let known else { return nil }
            let bonds = try found.bonds().filter { $0.local == known.address }
            if bonds.isEmpty, use != .bonding { return nil }
            database = found
            identity = known
            self.bonds = bonds
        } catch {
            throw OperationFailure("\(error)")
        }
    }

    /// What the identity of all commands that are centrals is called.
    static let name = "central"

    /// Makes a host who it is to be. On the air it has a private address, another one in each process: two commands at
    /// once share their identity and nothing else.
    func configure(_ configuration: inout HostConfiguration) {
        configuration.staticAddress = identity.address
        configuration.prefersStaticAddress = true
        configuration.identityResolvingKey = identity.resolvingKey
        configuration.privacy.ownAddress = .resolvablePrivate
    }

    /// The bonds that a name or an address may mean.
    public func bonds(with target: DeviceTarget) -> [Bond] { bonds.filter { target.matches($0) } }
}
