package import BluethroatLiveLoop
package import BluethroatSimulation

/// The files into which a world is recorded.
public struct CaptureFiles: Hashable, Sendable {
    /// Takes all that is on the air and crosses HCI, for Wireshark; nil for none.
    public var pcapng: String?
    /// Takes the HCI of one device as btsnoop; nil for none.
    public var btsnoop: String?

    /// By default there are none.
    public init(pcapng: String? = nil, btsnoop: String? = nil) {
        self.pcapng = pcapng
        self.btsnoop = btsnoop
    }

    /// Opens them; nil where there are none. A world in virtual time begins with `.unix`, so that the same seed gives the same
    /// file. `failed` is called for a file that cannot be written any more.
    package func open(
        epoch: CaptureEpoch,
        failed: @escaping (CaptureError) -> Void
    ) throws(CaptureError) -> Captures? {
        guard pcapng != nil || btsnoop != nil else { return nil }
        return try Captures(air: pcapng, log: btsnoop, epoch: epoch, complain: failed)
    }
}
