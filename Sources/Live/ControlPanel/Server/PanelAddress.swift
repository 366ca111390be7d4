import BluethroatHTTPServing
import Foundation

/// Where the panel listens, and by which names browsers may call it.
public struct PanelAddress: Hashable, Sendable, CustomStringConvertible {
    /// An IP address.
    public var host: String
    /// 0 picks a free one.
    public var port: UInt16

    /// - Parameter host: an IP address, or `localhost`, which is 127.0.0.1 from then on: who opened that name might reach ::1, where
    ///   another user may listen, and show the token there.
    public init(host: String = "127.0.0.1", port: UInt16 = 6480) {
        self.host = OwnNames.address(of: host)
        self.port = port
    }

    /// Whether only this machine can reach it.
    public var isLoopback: Bool { host == "localhost" || host == "::1" || host.hasPrefix("127.") }

    /// Where a browser on this machine finds it: who listens at all addresses is found at that of the machine itself.
    public var here: PanelAddress {
        switch host {
        case "0.0.0.0": PanelAddress(host: "127.0.0.1", port: port)
        case "::": PanelAddress(host: "::1", port: port)
        default: self
        }
    }

    /// Where browsers on other machines find it, as far as that is known: who listens at all addresses is found at the first
    /// one that this machine has in a network.
    public var elsewhere: PanelAddress {
        guard here != self, let address = Self.firstInNetwork(host.contains(":") ? AF_INET6 : AF_INET) else {
            return self
        }
        return PanelAddress(host: address, port: port)
    }

    private static func firstInNetwork(_ family: CInt) -> String? {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0, let list else { return nil }
        defer { freeifaddrs(list) }
        for interface in sequence(first: list, next: { $0.pointee.ifa_next }) {
            guard let address = interface.pointee.ifa_addr, CInt(address.pointee.sa_family) == family else { continue }
            var name = [CChar](repeating: 0, count: 256)
            let length = family == AF_INET ? MemoryLayout<sockaddr_in>.size : MemoryLayout<sockaddr_in6>.size
            let hasName =
                getnameinfo(address, socklen_t(length), &name, socklen_t(name.count), nil, 0, NI_NUMERICHOST) == 0
            let text = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            // One that only its own link knows (it has a zone) is no use in a browser.
            guard hasName, !text.contains("%"), !PanelAddress(host: text).isLoopback else { continue }
            return text
        }
        return nil
    }

    /// Whether the host is an IP address, or `localhost`.
    var isIPAddress: Bool {
        var bytes = in6_addr()
        return host == "localhost" || inet_pton(AF_INET, host, &bytes) == 1 || inet_pton(AF_INET6, host, &bytes) == 1
    }

    /// As it stands in an URL.
    public var description: String { "\(host.contains(":") ? "[\(host)]" : host):\(port)" }
}
