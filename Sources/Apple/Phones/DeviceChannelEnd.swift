package import BluethroatHost
package import BluethroatVirtualTime

/// The end of an L2CAP channel that a simulated device has: what has come, and what is to go.
package struct DeviceChannelEnd {
    package let id: L2CAPChannelID
    /// The longest SDU that the peer takes, in bytes.
    private let sduLength: Int
    /// All that has come so far, in the order in which it was sent.
    package private(set) var received: [UInt8] = []
    private var unsent: [UInt8] = []
    package private(set) var isOpen = true
    private var isClosing = false

    package init(_ description: ChannelDescription) {
        id = description.id
        sduLength = description.peerMTU
    }

    /// Sends bytes; what the channel has no room for follows as the peer reads. Without effect when it is closed.
    package mutating func send(_ bytes: [UInt8], host: Host, at now: Instant, into actions: inout HostActions) {
        guard isOpen, !isClosing else { return }
        unsent += bytes
        sendOn(host: host, at: now, into: &actions)
    }

    /// Closes the channel when all that waits has been sent.
    package mutating func close(host: Host, at now: Instant, into actions: inout HostActions) {
        isClosing = true
        sendOn(host: host, at: now, into: &actions)
    }

    /// Gives the host what it has room for: upon `ChannelEvent.readyToSend`.
    package mutating func sendOn(host: Host, at now: Instant, into actions: inout HostActions) {
        var sent = 0
        while sent < unsent.count {
            let sdu = Array(unsent[sent...].prefix(sduLength))
            guard (try? host.send(sdu, on: id, at: now, into: &actions)) == true else { break }
            sent += sdu.count
        }
        unsent.removeFirst(sent)
        if isClosing, isOpen, unsent.isEmpty { try? host.closeChannel(id, at: now, into: &actions) }
    }

    /// Something has come.
    package mutating func receive(_ sdu: [UInt8]) { received += sdu }

    /// The channel is closed.
    package mutating func closed() { isOpen = false }
}
