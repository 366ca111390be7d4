public import BluethroatEvents
public import BluethroatHCITransports

/// What happens where hosts are given controllers.
public enum AttachEvent: LiveSessionEvent, Equatable {
    /// The kernel has one more adapter: `hci0`.
    case adapter(String)
    /// Hosts find controllers there.
    case offered(HCIListeningPlace)
    /// A host has come: where, and which one it is of those at this place, beginning with 1.
    case came(HCIListeningPlace, host: Int)
    /// It has gone, and its controller with it. The text says why if it was not by its own will.
    case went(HCIListeningPlace, host: Int, because: String?)

    public var line: String? {
        switch self {
        case .adapter(let name): "\(name) is an adapter of this machine now"
        case .offered(.pty(let path)): "\(path) is a serial line with a controller for each program that opens it"
        case .offered(let place): "\(place) has a controller for each host that connects"
        case .came(let place, let host): "\(place): host \(host) is there"
        case .went(let place, let host, let reason): "\(place): host \(host) is gone" + (reason.map { ": \($0)" } ?? "")
        }
    }

    public var json: JSONLine? {
        switch self {
        case .adapter(let name):
            var line = JSONLine(event: "adapter")
            line.add("name", name)
            return line
        case .offered(let place):
            var line = JSONLine(event: "offered")
            line.add("hci", "\(place)")
            return line
        case .came(let place, let host):
            return Self.line("attached", place, host)
        case .went(let place, let host, let reason):
            var line = Self.line("detached", place, host)
            if let reason { line.add("reason", reason) }
            return line
        }
    }

    private static func line(_ event: String, _ place: HCIListeningPlace, _ host: Int) -> JSONLine {
        var line = JSONLine(event: event)
        line.add("hci", "\(place)")
        line.add("host", host)
        return line
    }
}
