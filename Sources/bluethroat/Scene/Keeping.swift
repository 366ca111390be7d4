import BluetoothCrypto
import BondDatabase
import Host
import LiveLoop

/// What a live device has from outside of its world.
struct Keeping {
    /// Where its bonds are kept.
    var bonds: any BondStore = MemoryBondStore()
    /// Who it is to those it is bonded with; its address counts where the controller has none of its own.
    var identity: LocalIdentity?
    /// What keys are drawn from; nil draws them from the seed, which is for tests.
    var secret: Block128?

    /// A secret for a controller.
    var freshSecret: Block128? { secret.map { _ in .fromSystem() } }

    /// Who the device is, for a host.
    func apply(to host: inout HostConfiguration) {
        host.staticAddress = identity?.address
        host.identityResolvingKey = identity?.resolvingKey
        host.secret = secret
    }
}

extension BondOptions {
    /// Opens the bonds, and finds out who the device of this name is to those it is bonded with. Without a file it is
    /// somebody new each time.
    func keeping(named name: String, warn: (String) -> Void) throws(CommandFailure) -> Keeping {
        var keeping = Keeping(secret: .fromSystem())
        guard
            let memory = try optional(creating: true, without: "bonds are kept until this command ends", warn: warn)
        else { return keeping }
        keeping.bonds = memory
        do throws(BondDatabaseError) {
            keeping.identity = try memory.identity(named: name, otherwise: LocalIdentity.fromSystem)
        } catch {
            if isExplicit { throw CommandFailure("\(error)") }
            warn("\(error)")
        }
        return keeping
    }
}
