import BluethroatHost
import BluethroatLinkLayer
import BluethroatRadioMedium
import BluethroatVirtualTime

/// What the events of a world read and change of one device, in one value: it is one stored property of its class.
struct DeviceState {
    var drift: ClockDrift

    /// When the world looks at the timers of this device, the next instant last. A wake-up is scheduled only if it comes
    /// before all others; one that comes before any timer has run out does nothing.
    var wakeUps: [Instant] = []

    /// When the controller and the host are due; nil where that was not asked for since they were called last.
    var controllerDeadline: Instant?
    var hostDeadline: Instant?

    /// Whether a host elsewhere has gone.
    var hasLostHost = false

    /// Counts what its radio was ordered: an order may find that a later one has been carried out already.
    var radioOrders: UInt32 = 0

    /// Who computes what the device advertises, if its controller does not.
    var quietAir: QuietAir?

    /// Its slot among those for whose sake a crowd's air computes what is near; nil if it is none of them.
    var hearer: Int?

    /// The frame that the radio is sending.
    var transmission: TransmissionID?

    /// How often its two sides were settled in the present turn, and which turn that is: see `StallWatch`.
    var steps = 0
    var turn: UInt64 = 0

    /// Filled during a call, emptied after it; kept for their storage.
    var controllerActions = ControllerActions()
    var hostActions = HostActions()

    init(drift: ClockDrift) { self.drift = drift }

    /// Gives back what is kept only for its storage; nothing is in it.
    mutating func giveBackStorage(into spare: inout ActionStorage) {
        guard !hasControllerActions, !hasHostActions else { return }
        // One whose controller, or whose host, had nothing to do has none to give.
        if controllerActions.packets.capacity + controllerActions.radio.capacity > 0 {
            swap(&controllerActions, &spare.controllerActions)
            controllerActions = ControllerActions()
        }
        giveBackHostStorage(into: &spare)
    }

    /// The same of what its host fills.
    mutating func giveBackHostStorage(into spare: inout ActionStorage) {
        guard !hasHostActions, hostActions.packets.capacity + hostActions.events.capacity > 0 else { return }
        swap(&hostActions, &spare.hostActions)
        hostActions = HostActions()
    }

    /// Takes for its controller, or for its host, what another device has given back.
    mutating func takeControllerStorage(from spare: inout ActionStorage) {
        if !hasControllerActions { swap(&controllerActions, &spare.controllerActions) }
    }

    mutating func takeHostStorage(from spare: inout ActionStorage) {
        if !hasHostActions { swap(&hostActions, &spare.hostActions) }
    }

    var hasControllerActions: Bool { !controllerActions.packets.isEmpty || !controllerActions.radio.isEmpty }
    var hasHostActions: Bool { !hostActions.packets.isEmpty || !hostActions.events.isEmpty }
}

/// Lists of actions that are kept for their storage; nothing is in them.
struct ActionStorage {
    var controllerActions = ControllerActions()
    var hostActions = HostActions()
}
