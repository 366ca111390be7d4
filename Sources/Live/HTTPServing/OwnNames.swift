import Foundation

/// By which names a server on this machine may be called.
///
/// A page elsewhere can make a browser ask us, by a name of its own that it makes point here; its requests say which name
/// that was (`Host`). Addresses cannot be made to point elsewhere.
public enum OwnNames {
    /// Whether a `Host` field is `localhost`, an IP address or one more name, with or without a port.
    public static func contain(_ host: String, besides own: String? = nil) -> Bool {
        if host.hasPrefix("[") {
            var bytes = in6_addr()
            guard let end = host.firstIndex(of: "]"), isPort(host[host.index(after: end)...]) else { return false }
            return inet_pton(AF_INET6, String(host[..<end].dropFirst()), &bytes) == 1
        }
        let name = String(host.prefix { $0 != ":" })
        guard isPort(host.dropFirst(name.count)) else { return false }
        var bytes = in_addr()
        return name == "localhost" || name == own && own != "" || inet_pton(AF_INET, name, &bytes) == 1
    }

    /// Where a server listens that is to listen at this host: at 127.0.0.1 for `localhost`, and it should be called so. The name is ::1,
    /// too, where another user may listen.
    public static func address(of host: String) -> String { host.lowercased() == "localhost" ? "127.0.0.1" : host }

    private static func isPort(_ text: Substring) -> Bool {
        text.isEmpty || text.first == ":" && UInt16(text.dropFirst()) != nil
    }
}
