import BluethroatAirPackets
import BluethroatBluetoothCrypto
public import BluethroatRadioMedium
import BluethroatVirtualTime

/// Which PDUs on the air are encrypted, found from the frames alone, without a key. Core 6.0, Vol 6, Part B, 5.1.3.
///
///     LL_START_ENC_REQ   in the clear: encryption begins behind it, in both directions
///     LL_PAUSE_ENC_RSP   of the central, in the clear: it ends behind this one
///
/// A MIC adds four bytes to every encrypted PDU, so that each has at least five, and a control PDU with nothing but its
/// opcode is in the clear. Empty PDUs are never encrypted.
///
/// It has to be given every frame, in the order in which they begin; what it did not see it does not know. The state is
/// one entry for each encrypted connection, `capacity` at most.
public struct EncryptedLinks: Sendable {
    /// How many connections are followed at once. Beyond that, the one that was silent longest is forgotten.
    public static let capacity = 1024
    /// The bytes of a message integrity check.
    public static let integrityCheckLength = LinkEncryptor.integrityCheckLength

    private enum Phase {
        case encrypted
        /// The central has sent the LL_PAUSE_ENC_RSP that is in the clear, and has not sent anything new since: until it
        /// does, the peripheral may still repeat its own, which is encrypted.
        case pausing(central: RadioID, sequenceNumber: Bool)

        /// Whether all that this side sends is in the clear: the central's PDUs are, as soon as it ends encryption.
        func isInTheClear(for sender: RadioID) -> Bool {
            if case .pausing(sender, _) = self { true } else { false }
        }
    }

    /// By access address.
    private var links: [UInt32: (phase: Phase, last: Instant)] = [:]

    /// Knows of no connection yet.
    public init() {}

    /// Takes the next frame, and answers whether its payload is encrypted.
    public mutating func isEncrypted(_ transmission: Transmission) -> Bool {
        let frame = transmission.frame
        guard AirFrame.isWellFormed(frame) else { return false }
        let address = AirFrame.accessAddress(of: frame)
        guard address != .advertising else {
            if !links.isEmpty { forgetPredecessor(of: frame) }
            return false
        }
        let header = AirFrame.dataHeader(of: frame)
        let opcode = Self.bareOpcode(of: frame, header)
        guard let link = links[address.rawValue] else {
            if opcode == .startEncReq { follow(address.rawValue, from: transmission.start) }
            return false
        }
        var phase = link.phase
        if case .pausing(transmission.radio, let sequenceNumber) = phase, header.sequenceNumber != sequenceNumber {
            links[address.rawValue] = nil
            return false
        }
        if opcode == .startEncReq { phase = .encrypted }
        if opcode == .pauseEncRsp {
            phase = .pausing(central: transmission.radio, sequenceNumber: header.sequenceNumber)
        }
        links[address.rawValue] = (phase, transmission.start)
        return Int(header.length) > Self.integrityCheckLength && !phase.isInTheClear(for: transmission.radio)
    }

    /// The opcode of a control PDU that has nothing else, which is always in the clear.
    private static func bareOpcode(of frame: [UInt8], _ header: DataHeader) -> ControlOpcode? {
        guard header.length == 1, header.logicalLink == .control else { return nil }
        return ControlOpcode(rawValue: frame[AirFrame.payloadOffset])
    }

    /// A CONNECT_IND begins a connection in the clear, whatever had its access address before.
    private mutating func forgetPredecessor(of frame: [UInt8]) {
        guard let indication = AirFrame.connectIndication(in: frame) else { return }
        links[indication.accessAddress.rawValue] = nil
    }

    private mutating func follow(_ address: UInt32, from now: Instant) {
        if links.count >= Self.capacity,
            let oldest = links.min(by: { ($0.value.last, $0.key) < ($1.value.last, $1.key) })
        {
            links[oldest.key] = nil
        }
        links[address] = (.encrypted, now)
    }
}
