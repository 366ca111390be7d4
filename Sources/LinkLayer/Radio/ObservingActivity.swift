import RadioMedium
import VirtualTime

/// Scanning's and initiating's use of the radio: they listen while nothing else needs it.
final class ObservingActivity: RadioActivity, Sendable {
    /// Its state are the controller's scanner and initiator; one object serves all.
    static let shared = ObservingActivity()

    func booking(in controller: Controller) -> RadioBooking? {
        controller.deadlines.instant(of: .observation).map { opening in
            RadioBooking(
                start: opening,
                latestStart: .distantFuture,
                span: .zero,
                priority: priority(in: controller)
            )
        }
    }

    func priority(in controller: Controller) -> RadioPriority { RadioPriority(rank: .filler) }

    func isBusy(in controller: Controller) -> Bool { controller.isObservingBusily }

    func granted(by controller: Controller, at now: Instant, into actions: inout ControllerActions) {
        controller.observe(at: now, into: &actions)
    }

    func deferred(by controller: Controller, at now: Instant, into actions: inout ControllerActions) {}

    func cutShort(by controller: Controller, at now: Instant, into actions: inout ControllerActions) {
        controller.lastObserved = now
        controller.observation = .listening
    }

    func transmitted(in controller: Controller, at now: Instant, into actions: inout ControllerActions) {
        controller.transmittedObserving(at: now, into: &actions)
    }

    func received(
        _ reception: Reception,
        in controller: Controller,
        at now: Instant,
        into actions: inout ControllerActions
    ) {
        controller.receivedObserving(reception, at: now, into: &actions)
    }

    func heardNothing(in controller: Controller, at now: Instant, into actions: inout ControllerActions) {
        controller.heardNothingObserving(at: now, into: &actions)
    }

    func takeTurn(in controller: Controller, at now: Instant, into actions: inout ControllerActions) {
        controller.takeTurnObserving(at: now, into: &actions)
    }
}
