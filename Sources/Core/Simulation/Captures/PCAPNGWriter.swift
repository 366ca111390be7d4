import BluethroatAirPackets
import BluethroatByteCoding
public import BluethroatVirtualTime

/// Writes pcapng, the file format of Wireshark, as bytes appended to a list: one section header, then a description of
/// each interface before its first packet, then packets, in little-endian order with nanoseconds.
/// draft-ietf-opsawg-pcapng, 4.
///
/// Times should not go backwards: record a frame when it begins.
public struct PCAPNGWriter: Sendable {
    /// What the packets of an interface begin with. The numbers are those of tcpdump.org/linktypes.
    public enum LinkType: UInt16, Sendable {
        /// HCI packets with their H4 byte behind a direction of four bytes.
        case bluetoothHCIH4WithDirection = 201
        /// What a program hands to one of Wireshark's dissectors, whose name stands in front.
        case upperPDU = 252
        /// Frames of the LE air behind a header of the radio's.
        case bluetoothLELinkLayerWithRadioHeader = 256
    }

    /// An interface by its place in the section.
    public struct Interface: Hashable, Sendable {
        let index: UInt32
        let linkType: LinkType
    }

    private let epoch: CaptureEpoch
    private var interfaces: UInt32 = 0

    public init(epoch: CaptureEpoch) { self.epoch = epoch }

    /// The beginning of the file; `application` is the program that writes it.
    public func writeSectionHeader(application: String, into out: inout [UInt8]) {
        Self.writeBlock(0x0A0D_0D0A, into: &out) { out in
            out.appendUInt32(0x1A2B_3C4D)
            out.appendUInt16(1)
            out.appendUInt16(0)
            // The length of the section is not known before its end.
            out.appendUInt64(.max)
            Self.writeOption(.sectionApplication, application, into: &out)
            Self.writeEndOfOptions(into: &out)
        }
    }

    /// Describes one more interface; the name distinguishes it from others, the description says what it is.
    public mutating func addInterface(
        _ linkType: LinkType,
        name: String,
        description: String,
        into out: inout [UInt8]
    ) -> Interface {
        Self.writeBlock(1, into: &out) { out in
            out.appendUInt16(linkType.rawValue)
            out.appendUInt16(0)
            // Packets are never cut.
            out.appendUInt32(0)
            Self.writeOption(.interfaceName, name, into: &out)
            Self.writeOption(.interfaceDescription, description, into: &out)
            Self.writeOption(.interfaceTimeResolution, [9], into: &out)
            Self.writeEndOfOptions(into: &out)
        }
        defer { interfaces += 1 }
        return Interface(index: interfaces, linkType: linkType)
    }

    /// One frame of the air behind its radio header.
    public func write(
        frame: [UInt8],
        header: RadioHeader,
        on interface: Interface,
        at instant: Instant,
        comment: String? = nil,
        into out: inout [UInt8]
    ) {
        precondition(interface.linkType == .bluetoothLELinkLayerWithRadioHeader, "the interface is not the air's")
        let length = RadioHeader.length + frame.count + (header.coding == nil ? 0 : 1)
        writePacket(length: length, on: interface, at: instant, direction: nil, comment: comment, into: &out) { out in
            header.write(to: &out)
            if let coding = header.coding, frame.count >= 4 {
                // On LE Coded the coding indicator stands behind the access address.
                out += frame[..<4]
                out.appendUInt8(coding == .s8 ? 0 : 1)
                out += frame[4...]
            } else {
                out += frame
            }
        }
    }

    /// One HCI packet, H4 byte first.
    public func write(
        hci packet: [UInt8],
        direction: HCIDirection,
        on interface: Interface,
        at instant: Instant,
        comment: String? = nil,
        into out: inout [UInt8]
    ) {
        precondition(interface.linkType == .bluetoothHCIH4WithDirection, "the interface is not an HCI")
        writePacket(
            length: 4 + packet.count,
            on: interface,
            at: instant,
            direction: direction,
            comment: comment,
            into: &out
        ) { out in
            // The one big-endian number of the format.
            out += [0, 0, 0, direction.rawValue]
            out += packet
        }
    }

    /// A line of text, which Wireshark shows as a message of syslog, at the user's facility. RFC 5424, 6.2.1, has the
    /// severities: 4 is a warning, 6 is for information.
    public func write(
        message: String,
        severity: UInt8,
        on interface: Interface,
        at instant: Instant,
        into out: inout [UInt8]
    ) {
        precondition(interface.linkType == .upperPDU, "the interface is not for messages")
        precondition(severity < 8, "a severity is 0 to 7")
        let text = Array("<\(8 + severity)>\(message)".utf8)
        // The tag with the dissector's name, whose length is a multiple of four, and the one that ends the tags.
        let tags: [UInt8] = [0, 12, 0, 8] + Array("syslog".utf8) + [0, 0] + [0, 0, 0, 0]
        let length = tags.count + text.count
        writePacket(length: length, on: interface, at: instant, direction: nil, comment: nil, into: &out) { out in
            out += tags
            out += text
        }
    }

    private func writePacket(
        length: Int,
        on interface: Interface,
        at instant: Instant,
        direction: HCIDirection?,
        comment: String?,
        into out: inout [UInt8],
        contents: (inout [UInt8]) -> Void
    ) {
        let time = epoch.nanosecondsSince1970(at: instant)
        out.reserveCapacity(out.count + length + 48)
        Self.writeBlock(6, into: &out) { out in
            out.appendUInt32(interface.index)
            out.appendUInt32(UInt32(truncatingIfNeeded: time >> 32))
            out.appendUInt32(UInt32(truncatingIfNeeded: time))
            out.appendUInt32(UInt32(length))
            out.appendUInt32(UInt32(length))
            contents(&out)
            Self.pad(&out, after: length)
            guard direction != nil || comment != nil else { return }
            if let comment { Self.writeOption(.comment, comment, into: &out) }
            if let direction {
                // Inbound is what the host receives.
                let flags: UInt8 = direction == .controllerToHost ? 0b01 : 0b10
                Self.writeOption(.packetFlags, [flags, 0, 0, 0], into: &out)
            }
            Self.writeEndOfOptions(into: &out)
        }
    }
}

/// What all blocks are made of.
extension PCAPNGWriter {
    private enum Option: UInt16 {
        case comment = 1
        /// if_name and epb_flags share a number, as each kind of block counts its own.
        case two = 2
        case interfaceDescription = 3
        case sectionApplication = 4
        case interfaceTimeResolution = 9

        static let interfaceName = Self.two
        static let packetFlags = Self.two
    }

    private static func writeBlock(_ type: UInt32, into out: inout [UInt8], body: (inout [UInt8]) -> Void) {
        let start = out.count
        out.appendUInt32(type)
        out.appendUInt32(0)
        body(&out)
        let length = UInt32(out.count - start + 4)
        for byte in 0..<4 { out[start + 4 + byte] = UInt8(truncatingIfNeeded: length >> UInt32(8 * byte)) }
        out.appendUInt32(length)
    }

    private static func writeOption(_ option: Option, _ text: String, into out: inout [UInt8]) {
        writeOption(option, Array(text.utf8.prefix(0xFFFF)), into: &out)
    }

    private static func writeOption(_ option: Option, _ value: [UInt8], into out: inout [UInt8]) {
        out.appendUInt16(option.rawValue)
        out.appendUInt16(UInt16(value.count))
        out += value
        pad(&out, after: value.count)
    }

    private static func writeEndOfOptions(into out: inout [UInt8]) { out.appendUInt32(0) }

    /// Zeros up to the next multiple of four bytes.
    private static func pad(_ out: inout [UInt8], after length: Int) {
        for _ in 0..<(4 - length % 4) % 4 { out.append(0) }
    }
}
