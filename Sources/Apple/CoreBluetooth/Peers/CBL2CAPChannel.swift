/// A channel of bytes to another device, in both directions.
///
/// It is closed when both of its streams are, or when the app lets go of it.
open class CBL2CAPChannel: NSObject, @unchecked Sendable {
    /// The device at the other end: a `CBPeripheral` or a `CBCentral`.
    open var peer: CBPeer! { ends.peer }

    /// What comes from the peer. Open it before use.
    open var inputStream: InputStream! { ends.input }

    /// What goes to the peer. Open it before use.
    open var outputStream: OutputStream! { ends.output }

    /// Under which PSM the channel was opened.
    open var psm: CBL2CAPPSM { ends.psm }

    private struct Ends {
        var peer: CBPeer?
        var input: InputStream?
        var output: OutputStream?
        var psm: CBL2CAPPSM = 0
    }

    private let ends: Ends
    private let pipe: ChannelPipe?

    /// A channel to nowhere, which only tests and stand-ins need.
    public override init() {
        ends = Ends()
        pipe = nil
    }

    init(peer: CBPeer, pipe: ChannelPipe) {
        ends = Ends(
            peer: peer,
            input: ChannelInputStream(pipe),
            output: ChannelOutputStream(pipe),
            psm: pipe.psm
        )
        self.pipe = pipe
    }

    deinit { pipe?.close() }

    open override var description: String {
        objectDescription(self, "peer = \(peer.map { "\($0)" } ?? "(null)")", "psm = \(psm)")
    }
}
