import BluetoothValues
import RadioMedium
import VirtualTime

/// A connection's use of the radio: a fixed start at each event, which the peer knows.
extension ConnectionBox: RadioActivity {
    func booking(in controller: inout ControllerCore) -> RadioBooking? { connection.nextStart.map(booking) }

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

    func priority(in controller: inout ControllerCore) -> RadioPriority { priority }

    func isBusy(in controller: inout ControllerCore) -> Bool { true }

    func granted(by controller: inout ControllerCore, at now: Instant, into actions: inout ControllerActions) {
        controller.beginEvent(of: self, at: now, into: &actions)
    }

    func deferred(by controller: inout ControllerCore, at now: Instant, into actions: inout ControllerActions) {
        controller.passOver(self, at: now, into: &actions)
    }

    func cutShort(by controller: inout ControllerCore, at now: Instant, into actions: inout ControllerActions) {
        controller.closeEvent(self, at: now, into: &actions)
    }

    func transmitted(in controller: inout ControllerCore, at now: Instant, into actions: inout ControllerActions) {
        controller.transmitted(self, at: now, into: &actions)
    }

    func received(
        _ reception: Reception,
        in controller: inout ControllerCore,
        at now: Instant,
        into actions: inout ControllerActions
    ) {
        controller.received(reception, of: self, at: now, into: &actions)
    }

    func heardNothing(in controller: inout ControllerCore, at now: Instant, into actions: inout ControllerActions) {
        controller.heardNothing(self, at: now, into: &actions)
    }

    func takeTurn(in controller: inout ControllerCore, at now: Instant, into actions: inout ControllerActions) {
        controller.takeTurn(self, at: now, into: &actions)
    }
}
