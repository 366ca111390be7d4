/// A channel of bytes to another device, in both directions.
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

    /// A channel to nowhere, which only tests and stand-ins need.
    public override init() { ends = Ends() }

    init(peer: CBPeer, input: InputStream, output: OutputStream, psm: CBL2CAPPSM) {
        ends = Ends(peer: peer, input: input, output: output, psm: psm)
    }

    open override var description: String { objectDescription(self, "peer = \(peer as Any)", "psm = \(psm)") }
}
