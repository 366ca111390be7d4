/// A host and a TCP port as people write them: `127.0.0.1:6402`, `fob.local:6402`, `[::1]:6402`.
public struct HostPort: Hashable, Sendable {
    /// A name or an address; IPv6 without its brackets.
    public var host: String
    /// 0 to 65535. Zero asks a listener for any free port and is no place to connect to.
    public var port: Int

    public init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// Where a port without a host is: open only to programs on this machine.
    public static let thisMachine = "127.0.0.1"

    /// Reads `HOST:PORT`, or `:PORT` on this machine; an IPv6 address must stand in brackets.
    public init(parsing text: some StringProtocol) throws(HCIEndpointError) {
        guard let colon = text.lastIndex(of: ":") else {
            throw HCIEndpointError("\(text) has no port; write HOST:PORT, as in 127.0.0.1:6402")
        }
        let digits = text[text.index(after: colon)...]
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = UInt16(digits) else {
            throw HCIEndpointError(
                "\(digits.isEmpty ? "nothing" : String(digits)) is no TCP port; write 0 to 65535 after the last colon of \(text)"
            )
        }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
        } else if host.contains("[") || host.contains("]") {
            throw HCIEndpointError("\(host) is no address: its brackets do not fit; write [::1]:\(port), for example")
        } else if host.contains(":") {
            throw HCIEndpointError("an IPv6 address needs brackets: [\(host)]:\(port)")
        }
        self.init(host: host.isEmpty ? Self.thisMachine : String(host), port: Int(port))
    }
}

extension HostPort: CustomStringConvertible {
    public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
