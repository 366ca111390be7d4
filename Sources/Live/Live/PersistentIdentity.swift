public import BluethroatBluetoothCrypto
public import BluethroatBondDatabase
public import BluethroatEvents
public import BluethroatHost
public import BluethroatLiveLoop

/// What a live device has from outside of its world.
public struct PersistentIdentity {
    /// Where its bonds are kept.
    public var bonds: any BondStore
    /// Its identity for bonded peers; its address counts where the controller has none of its own.
    public var identity: LocalIdentity?
    /// What keys are drawn from; nil draws them from the seed, which is for tests.
    public var secret: Block128?

    /// By default without bonds, with secrets from the system.
    public init(
        bonds: any BondStore = MemoryBondStore(),
        identity: LocalIdentity? = nil,
        secret: Block128? = .fromSystem()
    ) {
        self.bonds = bonds
        self.identity = identity
        self.secret = secret
    }

    /// Opens the bonds, and finds out who the device of this name is to those it is bonded with. Without a file it is
    /// another device each time.
    public init(
        named name: String,
        in file: BondLocation,
        warn: (String) -> Void
    ) throws(OperationFailure) {
        self.init()
        let without = "bonds are kept until this command ends"
        guard let database = try file.optional(creating: true, without: without, warn: warn) else { return }
        bonds = database
        do throws(BondDatabaseError) {
            identity = try database.identity(named: name, otherwise: LocalIdentity.fromSystem)
        } catch {
            if file.isExplicit { throw OperationFailure("\(error)") }
            warn("\(error)")
        }
    }

    /// A secret for a controller.
    var freshSecret: Block128? { secret.map { _ in .fromSystem() } }

    /// The device's identity, for a host.
    func apply(to host: inout HostConfiguration) {
        host.staticAddress = identity?.address
        host.identityResolvingKey = identity?.resolvingKey
        host.secret = secret
    }
}
