public import BluethroatBluetoothValues
import BluethroatEvents
public import BluethroatVirtualTime

/// What came of an order to the central in the world of a key fob, or what it has heard from the fob.
public struct CentralNotice: Hashable, Sendable {
    public enum Change: Hashable, Sendable {
        case connected
        /// With the reason in words.
        case disconnected(String)
        /// The attribute is that of a UUID, or a handle where the UUID is not known.
        case read(String, [UInt8])
        case wrote(String, [UInt8])
        case subscribed(String)
        case notified(String, [UInt8])
        /// An order that came to nothing: why, in words.
        case failed(String)
    }

    /// When it was done.
    public var time: Instant
    /// The fob at the other end.
    public var peer: DeviceAddress
    public var change: Change

    public init(time: Instant, peer: DeviceAddress, change: Change) {
        self.time = time
        self.peer = peer
        self.change = change
    }
}

extension CentralNotice {
    /// The same for people: `  12.345 s  central: wrote 02 to 2A06`.
    func line(of fob: Int?) -> String {
        KeyFobSentences.line((fob.map { "fob \($0): " } ?? "") + "central: " + sentence, at: time)
    }

    private var sentence: String {
        switch change {
        case .connected: "connected with \(peer)"
        case .disconnected(let reason): "disconnected from \(peer): \(reason)"
        case .read(let attribute, let value): "\(attribute) is \(Self.hex(value))"
        case .wrote(let attribute, let value): "wrote \(Self.hex(value)) to \(attribute)"
        case .subscribed(let attribute): "subscribed to \(attribute)"
        case .notified(let attribute, let value): "\(attribute) notifies \(Self.hex(value))"
        case .failed(let why): why
        }
    }

    /// The same for programs.
    var json: String {
        var line = JSONLine(event: "central", time: time)
        func add(_ what: String, _ attribute: String, _ value: [UInt8]? = nil) {
            line.add("did", what)
            line.add("peer", peer.description)
            line.add("attribute", attribute)
            if let value { line.add("value", Self.hex(value)) }
        }
        switch change {
        case .connected:
            line.add("did", "connect")
            line.add("peer", peer.description)
        case .disconnected(let reason):
            line.add("did", "disconnect")
            line.add("peer", peer.description)
            line.add("reason", reason)
        case .read(let attribute, let value): add("read", attribute, value)
        case .wrote(let attribute, let value): add("write", attribute, value)
        case .subscribed(let attribute): add("subscribe", attribute)
        case .notified(let attribute, let value): add("notification", attribute, value)
        case .failed(let why):
            line.add("did", "failed")
            line.add("peer", peer.description)
            line.add("message", why)
        }
        return line.text
    }

    private static func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
