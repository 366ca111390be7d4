import BluethroatBluetoothValues
import BluethroatRadioMedium
import BluethroatSimulation

/// A packet that was on the air.
public struct LoggedPacket: Sendable, CustomStringConvertible {
    /// When its preamble began, since the beginning of the air.
    public let time: Duration
    /// The name of the device that sent it.
    public let sender: String
    /// 37 to 39 for advertising, 0 to 36 for connections.
    public let channel: Int
    /// Access address to CRC.
    public let bytes: [UInt8]
    /// Whether the payload is encrypted, and ends with a MIC.
    public let isEncrypted: Bool

    init(_ transmission: Transmission, from sender: String, isEncrypted: Bool) {
        time = transmission.start.duration
        self.sender = sender
        channel = Int(transmission.channel.index)
        bytes = transmission.frame
        self.isEncrypted = isEncrypted
    }

    /// What it is, in the words of the Core Specification: `CONNECT_IND`, `SCAN_REQ …`, `LL_TERMINATE_IND …`; of an
    /// encrypted PDU, that it is one.
    public var summary: String { AirFrameSummary(bytes, isEncrypted: isEncrypted).description }

    public var description: String { "\(time.text) \(sender), channel \(channel): \(summary)" }
}
