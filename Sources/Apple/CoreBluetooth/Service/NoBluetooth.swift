internal import BluethroatPhoneService

/// The service of a machine without Bluetooth: the state of managers is `unsupported`, and nothing ever happens.
struct NoBluetooth: ServicePort {
    var authorization: Authorization { .allowedAlways }

    func open(
        _ session: SessionDescription,
        events: @escaping @Sendable ([SessionEvent]) -> Void
    ) -> SessionID {
        events([.state(.unsupported)])
        return SessionID(number: 0)
    }

    func submit(_ command: SessionCommand, from session: SessionID) {}

    func close(_ session: SessionID) {}
}
