extension HCIEndpoint {
    /// Opens a link to the controller at this place. The callbacks may come before this returns.
    public func open(_ callbacks: HCITransportCallbacks) async throws(HCITransportError) -> any HCITransport {
        switch self {
        case .tcp(let address): return try await StreamClient.connect(to: address, callbacks: callbacks)
        case .unix(let path): return try await StreamClient.connect(toSocket: path, callbacks: callbacks)
        case .pty(let path):
            return try Self.line(try SerialLine.open(path, baud: Self.defaultBaud), "\(self)", callbacks)
        case .serial(let device, let baud):
            return try Self.line(try SerialLine.open(device, baud: baud), "\(self)", callbacks)
        case .userChannel(let index): return try Self.line(try UserChannel.open(index), "\(self)", callbacks)
        }
    }

    private static func line(
        _ descriptor: CInt,
        _ peer: String,
        _ callbacks: HCITransportCallbacks
    ) throws(HCITransportError) -> any HCITransport {
        let transport = try DescriptorTransport(owning: descriptor, peer: peer)
        transport.start(callbacks)
        return transport
    }
}
