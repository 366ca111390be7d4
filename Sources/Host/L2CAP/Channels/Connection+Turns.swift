internal import BluetoothValues

extension Connection {
    /// Packets that a connection may have with the controller while it sends for channels. What comes after them, an
    /// ATT PDU say, need not wait for more than these: some 15 ms on LE 1M. A controller that tells of several packets
    /// at once, as many do at the end of a connection event, needs more at hand not to run dry.
    private var mostInFlight: Int { max(6, mostCompletedAtOnce + 2) }

    /// The next ACL data packet; nil if nothing waits, or nothing that may go now. The fixed channels and the channels
    /// that were opened take turns, a PDU each.
    mutating func nextPacket(maximumLength: Int) -> [UInt8]? {
        let handle = id.handle
        if channels.isMidFrame {
            guard inFlight < mostInFlight else { return nil }
            return channels.nextPacket(handle: handle, maximumLength: maximumLength)
        }
        if channels.isEmpty || outgoing.isMidPDU {
            return outgoing.nextPacket(handle: handle, maximumLength: maximumLength)
        }
        let mayUseChannels = inFlight < mostInFlight && channels.isReady
        if !outgoing.isEmpty, !prefersChannels || !mayUseChannels {
            prefersChannels = true
            return outgoing.nextPacket(handle: handle, maximumLength: maximumLength)
        }
        guard mayUseChannels else { return nil }
        prefersChannels = false
        return channels.nextPacket(handle: handle, maximumLength: maximumLength)
    }
}
