import BluethroatLiveLoop
import BluethroatSimulation
import Synchronization

/// A way to the air's thread that does not hold the air: for what the air itself holds.
struct WeakAir: Sendable {
    private final class Reference: @unchecked Sendable {
        // Written once, before it is shared; `weak let` is younger than the language this has to compile with.
        weak var live: LiveLoop<AirMachine>?
    }

    private let reference = Reference()

    init(_ live: LiveLoop<AirMachine>) { reference.live = live }

    /// Nothing happens if the air is no more.
    func post(_ order: @escaping @Sendable (AirMachine) -> Void) { reference.live?.post(order) }
}

/// Signals the air's thread that apps have posted commands: once, until it has looked.
final class WakeSignal: Sendable {
    private let air: WeakAir
    private let isRinging = Atomic(false)

    init(_ air: WeakAir) { self.air = air }

    func raise() {
        guard !isRinging.exchange(true, ordering: .acquiringAndReleasing) else { return }
        air.post { machine in
            self.isRinging.store(false, ordering: .releasing)
            if !machine.isEnding { machine.world.runExternalWork() }
        }
    }
}
