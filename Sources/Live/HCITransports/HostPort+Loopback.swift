extension HostPort {
    /// Whether only programs on this machine can reach it. Names other than `localhost` are not looked up, and taken to
    /// be reachable from elsewhere.
    public var isLoopback: Bool {
        if host.lowercased() == "localhost" || host == "::1" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}
