import BluethroatHCI

/// Takes keys out of HCI packets, in the order in which they were sent: their bytes become zeros, and nothing else changes.
///
/// Those are the keys of HCI commands and events (Core 6.0, Vol 4, Part E, 7.8), and what the hosts of a bond send each
/// other over an encrypted link (Vol 3, Part H, 3.6), whichever way it is cut into ACL packets. A later part of a PDU
/// whose beginning is not known is taken out whole.
public struct KeyRedaction: Sendable {
    /// Where in an L2CAP PDU the next byte of a link and direction stands.
    fileprivate struct Reassembly {
        var place = 0
        var channel: UInt16 = 0
        var code: UInt8 = 0
    }

    private struct Line: Hashable {
        let handle: UInt16
        let fromHost: Bool
    }

    private var lines: [Line: Reassembly] = [:]

    public init() {}

    /// The packet without its keys; the H4 indicator is its first byte.
    public mutating func redacted(_ packet: [UInt8], fromHost: Bool) -> [UInt8] {
        var packet = packet
        switch packet.first.flatMap(PacketIndicator.init) {
        case .command: Self.redactCommand(&packet)
        case .event: Self.redactEvent(&packet)
        case .acl: redactACL(&packet, fromHost: fromHost)
        default: break
        }
        return packet
    }

    // MARK: Commands and events

    /// Where the keys of a command stand in its parameters.
    private static let commands: [Opcode: [Range<Int>]] = [
        // Link_Key; PIN_Code.
        Opcode(rawValue: 0x040B): [6..<22],
        Opcode(rawValue: 0x040D): [7..<23],
        // Key and Plaintext_Data.
        .leEncrypt: [0..<32],
        .leEnableEncryption: [12..<28],
        .leLongTermKeyRequestReply: [2..<18],
        // Peer_IRK and Local_IRK.
        .leAddDeviceToResolvingList: [7..<39],
    ]

    private static func redactCommand(_ packet: inout [UInt8]) {
        guard packet.count >= 4 else { return }
        for range in commands[Opcode(rawValue: UInt16(packet[1]) | UInt16(packet[2]) << 8)] ?? [] {
            clear(&packet, range.lowerBound + 4..<range.upperBound + 4)
        }
    }

    private static func redactEvent(_ packet: inout [UInt8]) {
        guard packet.count >= 4 else { return }
        switch packet[1] {
        // Command Complete: what LE Encrypt and LE Rand return, of which keys are made.
        case 0x0E where packet.count > 7:
            let opcode = Opcode(rawValue: UInt16(packet[4]) | UInt16(packet[5]) << 8)
            if opcode == .leEncrypt || opcode == .leRand { clear(&packet, 7..<packet.count) }
        // Link Key Notification.
        case 0x18: clear(&packet, 9..<25)
        // LE Generate DHKey Complete.
        case 0x3E where packet[3] == 0x09: clear(&packet, 5..<37)
        default: break
        }
    }

    private static func clear(_ packet: inout [UInt8], _ range: Range<Int>) {
        for index in range.clamped(to: packet.indices) { packet[index] = 0 }
    }

    // MARK: The Security Manager's PDUs

    fileprivate static let securityManager: UInt16 = 0x0006
    /// Encryption Information, Central Identification, Identity Information, Signing Information.
    fileprivate static let secretCodes: Set<UInt8> = [0x06, 0x07, 0x08, 0x0A]
    /// More links than a controller has.
    private static let mostLines = 512

    private mutating func redactACL(_ packet: inout [UInt8], fromHost: Bool) {
        guard packet.count > 5 else { return }
        let field = UInt16(packet[1]) | UInt16(packet[2]) << 8
        let line = Line(handle: field & 0x0FFF, fromHost: fromHost)
        let isContinuation = field >> 12 & 0b11 == 0b01
        var known: Reassembly? = isContinuation ? lines[line] : Reassembly()
        for index in 5..<packet.count {
            if known?.isSecret(packet[index]) ?? true { packet[index] = 0 }
        }
        if lines.count >= Self.mostLines { lines = [:] }
        lines[line] = known
    }
}

extension KeyRedaction.Reassembly {
    /// Notes the next byte of the PDU, and answers whether it is secret.
    fileprivate mutating func isSecret(_ byte: UInt8) -> Bool {
        defer { place += 1 }
        switch place {
        case 2: channel = UInt16(byte)
        case 3: channel |= UInt16(byte) << 8
        case 4: code = byte
        default: break
        }
        return place > 4 && channel == KeyRedaction.securityManager && KeyRedaction.secretCodes.contains(code)
    }
}
