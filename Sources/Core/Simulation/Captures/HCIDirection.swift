/// Which way a packet crosses the HCI.
public enum HCIDirection: UInt8, Sendable {
    /// Sent by the host: commands and its data.
    case hostToController = 0
    /// Received by the host: events and the controller's data.
    case controllerToHost = 1
}
