import BluetoothValues
import RadioMedium
import VirtualTime

/// A connection's use of the radio: a fixed start at each event, which the peer knows.
extension ConnectionBox: RadioActivity {
    private var slot: Int { Int(connection.handle.rawValue) }

    func booking(in controller: Controller) -> RadioBooking? { connection.nextStart.map(booking) }

    /// What is booked for an event that begins at an instant.
    func booking(at start: Instant) -> RadioBooking {
        RadioBooking(
            start: start,
            latestStart: start,
            span: connection.exchangeSpan(),
            priority: priority
        )
    }

    private var priority: RadioPriority {
        RadioPriority(rank: .fixed, missedInARow: connection.schedule.missedInARow)
    }

    func priority(in controller: Controller) -> RadioPriority { priority }

    func isBusy(in controller: Controller) -> Bool { true }

    func granted(by controller: Controller, at now: Instant, into actions: inout ControllerActions) {
        controller.beginEvent(connection: slot, at: now, into: &actions)
    }

    func deferred(by controller: Controller, at now: Instant, into actions: inout ControllerActions) {
        controller.passOver(slot, at: now, into: &actions)
    }

    func cutShort(by controller: Controller, at now: Instant, into actions: inout ControllerActions) {
        controller.closeEvent(slot, at: now, into: &actions)
    }

    func transmitted(in controller: Controller, at now: Instant, into actions: inout ControllerActions) {
        controller.transmitted(connection: slot, at: now, into: &actions)
    }

    func received(
        _ reception: Reception,
        in controller: Controller,
        at now: Instant,
        into actions: inout ControllerActions
    ) {
        controller.received(reception, connection: slot, at: now, into: &actions)
    }

    func heardNothing(in controller: Controller, at now: Instant, into actions: inout ControllerActions) {
        controller.heardNothing(connection: slot, at: now, into: &actions)
    }

    func takeTurn(in controller: Controller, at now: Instant, into actions: inout ControllerActions) {
        controller.takeTurn(connection: slot, at: now, into: &actions)
    }
}
