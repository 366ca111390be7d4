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
    /// What came first after the last whole packet.
    private var opening: [UInt8] = []

    package init(from peer: HCIRole) { self.peer = peer }

    /// Whether the peer has begun a packet and not finished it.
    package var isMidPacket: Bool { framing.pendingCount > 0 }

    package mutating func append(_ bytes: some Sequence<UInt8>) {
        if framing.pendingCount == 0 { opening = Array(bytes.prefix(8)) }
        framing.append(bytes)
    }

    package mutating func next() throws(Garbage) -> [UInt8]? {
        let packet: [UInt8]?
        do throws(H4FramingError) {
            packet = try framing.nextPacket()
        } catch {
            throw Garbage(description: language.map(advice) ?? "\(error)")
        }
        switch (peer, packet?.first) {
        case (.host, PacketIndicator.event.rawValue):
            throw Garbage(description: "it sends events, as only controllers do")
        case (.controller, PacketIndicator.command.rawValue):
            throw Garbage(description: "it sends commands, as only hosts do")
        default: return packet
        }
    }

    /// What a peer speaks that has taken this for another kind of connection.
    private var language: String? {
        let text = String(decoding: opening, as: UTF8.self)
        if opening.starts(with: [0x16, 0x03]) { return "TLS" }
        if text.hasPrefix("SSH-") { return "SSH" }
        let requests = [
            "GET ", "POST ", "HEAD ", "PUT ", "DELETE ", "OPTIONS ", "CONNECT ", "PATCH ", "PRI *", "HTTP/",
        ]
        return requests.contains { text.hasPrefix($0) } ? "HTTP" : nil
    }

    private func advice(_ language: String) -> String {
        switch peer {
        case .host:
            "it speaks \(language), and this port is for Bluetooth hosts; the control panel is at another address"
        case .controller: "it speaks \(language): another program has this address; give that of a controller"
        }
    }
}
