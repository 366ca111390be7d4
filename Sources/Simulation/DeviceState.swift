import Host
import LinkLayer
import RadioMedium
import VirtualTime

/// What the events of a world read and change of one device, in one value: it is one stored property of its class.
struct DeviceState {
    var drift: ClockDrift

    /// When the world looks after this device, the next appointment last. A new one is made only if it comes before
    /// all others; one that turns out to be too early is kept all the same, and nothing is due.
    var appointments: [Instant] = []

    /// The frame that the radio is sending.
    var transmission: TransmissionID?

    /// How often its two sides were settled in the present turn, and which turn that is: see `StallWatch`.
    var steps = 0
    var turn: UInt64 = 0

    /// Filled during a call, emptied after it; kept for their storage.
    var controllerActions = ControllerActions()
    var hostActions = HostActions()

    init(drift: ClockDrift) { self.drift = drift }

    var hasControllerActions: Bool { !controllerActions.packets.isEmpty || !controllerActions.radio.isEmpty }
    var hasHostActions: Bool { !hostActions.packets.isEmpty || !hostActions.events.isEmpty }
}
