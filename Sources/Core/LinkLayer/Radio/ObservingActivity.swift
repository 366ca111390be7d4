import BluethroatRadioMedium
import BluethroatVirtualTime

/// Scanning's and initiating's use of the radio: they listen while nothing else needs it.
final class ObservingActivity: RadioActivity, Sendable {
    /// Its state are the controller's scanner and initiator; one object serves all.
    static let shared = ObservingActivity()

    func booking(in controller: inout ControllerCore) -> RadioBooking? {
        controller.deadlines.instant(of: .observation).map { opening in
            RadioBooking(
                start: opening,
                latestStart: .distantFuture,
                span: .zero,
                priority: priority(in: &controller)
            )
        }
    }

    func priority(in controller: inout ControllerCore) -> RadioPriority { RadioPriority(rank: .filler) }

    func isBusy(in controller: inout ControllerCore) -> Bool { controller.isObservingBusily }

    func granted(by controller: inout ControllerCore, at now: Instant, into actions: inout ControllerActions) {
        controller.observe(at: now, into: &actions)
    }

    func deferred(by controller: inout ControllerCore, at now: Instant, into actions: inout ControllerActions) {}

    func cutShort(by controller: inout ControllerCore, at now: Instant, into actions: inout ControllerActions) {
        controller.lastObserved = now
        controller.observation = .listening
    }

    func transmitted(in controller: inout ControllerCore, at now: Instant, into actions: inout ControllerActions) {
        controller.transmittedObserving(at: now, into: &actions)
    }

    func received(
        _ reception: Reception,
        in controller: inout ControllerCore,
        at now: Instant,
        into actions: inout ControllerActions
    ) {
        controller.receivedObserving(reception, at: now, into: &actions)
    }

    func heardNothing(in controller: inout ControllerCore, at now: Instant, into actions: inout ControllerActions) {
        controller.heardNothingObserving(at: now, into: &actions)
    }

    func takeTurn(in controller: inout ControllerCore, at now: Instant, into actions: inout ControllerActions) {
        controller.takeTurnObserving(at: now, into: &actions)
    }
}
