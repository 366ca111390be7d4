/// What L2CAP keeps for all links of a host: the controller's buffers, and the services that peers may open channels to.
struct L2CAPLayer {
    var buffers = ControllerBuffers(packetLength: 0, count: 0)
    /// The slot whose turn it is when buffers come free.
    var turn = 0
    var listeners: [ChannelListener] = []
}
