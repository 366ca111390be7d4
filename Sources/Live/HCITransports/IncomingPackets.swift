import BluethroatHCI

/// Which end of HCI a program is.
package enum HCIRole {
    case host
    case controller
}

/// Bytes from a peer, cut into packets that a peer of its role may send.
package struct IncomingPackets {
    /// What the peer sent that is not HCI, in words.
    package struct Garbage: Error {
        package let description: String
    }

    private let peer: HCIRole
    private var framing = H4Framing()

    package init(from peer: HCIRole) { self.peer = peer }

    /// Whether the peer has begun a packet and not finished it.
    package var isMidPacket: Bool { framing.pendingCount > 0 }

    package mutating func append(_ bytes: some Sequence<UInt8>) { framing.append(bytes) }

    package mutating func next() throws(Garbage) -> [UInt8]? {
        let packet: [UInt8]?
        do throws(H4FramingError) {
            packet = try framing.nextPacket()
        } catch {
            throw Garbage(description: "\(error)")
        }
        switch (peer, packet?.first) {
        case (.host, PacketIndicator.event.rawValue):
            throw Garbage(description: "it sends events, as only controllers do")
        case (.controller, PacketIndicator.command.rawValue):
            throw Garbage(description: "it sends commands, as only hosts do")
        default: return packet
        }
    }
}
