/// Where a port for Bluetooth hosts is: `127.0.0.1:6402`, `unix:/run/user/1000/hci` or `pty:/tmp/hci`.
public enum HCIListeningPlace: Hashable, Sendable, CustomStringConvertible {
    /// For all users of this machine, and beyond it if the address can be reached from there.
    case tcp(HostPort)
    /// For this user (and root) alone: the socket has the mode 0600, and the user ID of each client is checked.
    case unix(path: String)
    /// Pseudo-terminals for programs that know serial lines, for this user (and root) alone: whoever opens the path gets
    /// one of his own. Linux only.
    case pty(path: String)

    /// Reads `HOST:PORT`, `tcp:HOST:PORT`, `unix:PATH` or `pty:PATH`.
    public init(parsing text: String) throws(HCIEndpointError) {
        switch text.prefix(while: { $0 != ":" }) {
        case "unix": self = .unix(path: try Self.path(of: text))
        case "pty": self = .pty(path: try Self.path(of: text))
        case "tcp": self = .tcp(try HostPort(parsing: text.dropFirst(4)).listened)
        default: self = .tcp(try HostPort(parsing: text).listened)
        }
    }

    private static func path(of text: String) throws(HCIEndpointError) -> String {
        let scheme = text.prefix { $0 != ":" }
        let path = text.dropFirst(scheme.count + 1)
        guard !path.isEmpty else { throw HCIEndpointError("\(scheme): needs a path, as in \(scheme):/tmp/hci") }
        return String(path)
    }

    /// Nil for a Unix socket.
    public var address: HostPort? { if case .tcp(let address) = self { address } else { nil } }

    /// The same place as a host on this machine opens it.
    public var endpoint: HCIEndpoint {
        switch self {
        case .tcp(let address): .tcp(address)
        case .unix(let path): .unix(path: path)
        case .pty(let path): .pty(path: path)
        }
    }

    /// Whether only programs on this machine can reach it.
    public var isLoopback: Bool { address?.isLoopback ?? true }

    /// As clients write it.
    public var description: String {
        switch self {
        case .tcp(let address): "tcp:\(address)"
        case .unix(let path): "unix:\(path)"
        case .pty(let path): "pty:\(path)"
        }
    }
}
