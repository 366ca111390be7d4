import BluethroatRadioMedium
import BluethroatVirtualTime

/// Advertising's use of the radio: one PDU after the other, each when there is time.
final class AdvertisingActivity: RadioActivity, Sendable {
    /// Its state is the controller's advertiser; one object serves all.
    static let shared = AdvertisingActivity()

    func booking(in controller: inout ControllerCore) -> RadioBooking? {
        controller.advertiser.isEnabled ? controller.advertisingBooking : nil
    }

    func priority(in controller: inout ControllerCore) -> RadioPriority { RadioPriority(rank: .flexible) }

    func isBusy(in controller: inout ControllerCore) -> Bool { true }

    func granted(by controller: inout ControllerCore, at now: Instant, into actions: inout ControllerActions) {
        controller.beginAdvertisement(at: now, into: &actions)
    }

    func deferred(by controller: inout ControllerCore, at now: Instant, into actions: inout ControllerActions) {
        controller.advertiser.holdUp()
    }

    /// The rest of this advertising event, this channel included, comes later.
    func cutShort(by controller: inout ControllerCore, at now: Instant, into actions: inout ControllerActions) {
        controller.advertiser.holdUp()
    }

    func transmitted(in controller: inout ControllerCore, at now: Instant, into actions: inout ControllerActions) {
        controller.transmittedAdvertising(at: now, into: &actions)
    }

    func received(
        _ reception: Reception,
        in controller: inout ControllerCore,
        at now: Instant,
        into actions: inout ControllerActions
    ) {
        controller.receivedAdvertising(reception, at: now, into: &actions)
    }

    func heardNothing(in controller: inout ControllerCore, at now: Instant, into actions: inout ControllerActions) {
        controller.heardNothingAdvertising(at: now, into: &actions)
    }

    func takeTurn(in controller: inout ControllerCore, at now: Instant, into actions: inout ControllerActions) {
        controller.answerScan(at: now, into: &actions)
    }
}
