import Foundation

/// Where the panel listens, and by which names browsers may call it.
public struct PanelAddress: Hashable, Sendable, CustomStringConvertible {
    /// An IP address, or `localhost`.
    public var host: String
    /// 0 picks a free one.
    public var port: UInt16

    public init(host: String = "127.0.0.1", port: UInt16 = 6480) {
        self.host = host
        self.port = port
    }

    /// Whether only this machine can reach it.
    public var isLoopback: Bool { host == "localhost" || host == "::1" || host.hasPrefix("127.") }

    /// Whether the host is an IP address, or `localhost`.
    var isIPAddress: Bool {
        var bytes = in6_addr()
        return host == "localhost" || inet_pton(AF_INET, host, &bytes) == 1 || inet_pton(AF_INET6, host, &bytes) == 1
    }

    /// As it stands in an URL.
    public var description: String { "\(host.contains(":") ? "[\(host)]" : host):\(port)" }
}
