extension HostPort {
    /// Whether only programs on this machine can reach it. Names other than `localhost` are not looked up, and taken to
    /// be reachable from elsewhere.
    public var isLoopback: Bool {
        if host.lowercased() == "localhost" || host == "::1" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }

    /// The same with 127.0.0.1 for `localhost`: who is told the name may ask at ::1, where another user may listen.
    var listened: HostPort { host.lowercased() == "localhost" ? HostPort(host: Self.thisMachine, port: port) : self }
}
