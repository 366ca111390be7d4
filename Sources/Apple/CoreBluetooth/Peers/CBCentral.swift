internal import BluethroatPhoneService
private import Synchronization

/// A central that uses what this app has published.
open class CBCentral: CBPeer, @unchecked Sendable {
    private let length: Mutex<Int>

    /// How many bytes fit into one update for this central.
    open var maximumUpdateValueLength: Int { length.withLock { $0 } }

    init(id: PeerID, maximumUpdateValueLength: Int) {
        length = Mutex(maximumUpdateValueLength)
        super.init(id: id)
    }

    func setMaximumUpdateValueLength(_ length: Int) { self.length.withLock { $0 = length } }

    open override var description: String {
        objectDescription(self, "identifier = \(identifier)", "MTU = \(maximumUpdateValueLength)")
    }
}
