import BluethroatHCITransports
import BluethroatLive

/// An air with nothing on it but the controllers of hosts outside.
final class AirWorld: LiveSystem {
    let session: LiveSession
    private let opened: (HCIEndpoint) -> Void

    /// - Parameter opened: hears where hosts find controllers on it.
    init(_ session: LiveSession, opened: @escaping (HCIEndpoint) -> Void) {
        self.session = session
        self.opened = opened
    }

    func begin() {
        if let endpoint = session.hciEndpoint { opened(endpoint) }
    }
}
