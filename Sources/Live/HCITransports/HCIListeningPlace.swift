/// Where a port for Bluetooth hosts is: `127.0.0.1:6402`, or `unix:/run/user/1000/hci`.
public enum HCIListeningPlace: Hashable, Sendable, CustomStringConvertible {
    /// For all users of this machine, and beyond it if the address can be reached from there.
    case tcp(HostPort)
    /// For this user (and root) alone: the socket has the mode 0600, and the user ID of each client is checked.
    case unix(path: String)

    /// Reads `HOST:PORT`, `tcp:HOST:PORT` or `unix:PATH`.
    public init(parsing text: String) throws(HCIEndpointError) {
        guard text.hasPrefix("unix:") else {
            self = .tcp(try HostPort(parsing: text.hasPrefix("tcp:") ? text.dropFirst(4) : text[...]))
            return
        }
        let path = String(text.dropFirst(5))
        guard !path.isEmpty else { throw HCIEndpointError("unix: needs a path, as in unix:/tmp/hci") }
        self = .unix(path: path)
    }

    /// Nil for a Unix socket.
    public var address: HostPort? { if case .tcp(let address) = self { address } else { nil } }

    /// The same place as a host on this machine opens it.
    public var endpoint: HCIEndpoint {
        switch self {
        case .tcp(let address): .tcp(address)
        case .unix(let path): .unix(path: path)
        }
    }

    /// Whether only programs on this machine can reach it.
    public var isLoopback: Bool { address?.isLoopback ?? true }

    /// As clients write it.
    public var description: String {
        switch self {
        case .tcp(let address): "tcp:\(address)"
        case .unix(let path): "unix:\(path)"
        }
    }
}
