import BluethroatBluetoothValues
import BluethroatByteCoding
import BluethroatHCI
import BluethroatVirtualTime
import Testing

@testable import BluethroatHost

/// A host with one connection whose peer the test plays: L2CAP frames in hexadecimal digits, both ways.
struct ChannelBench {
    var bench: HostBench
    let connection: ConnectionID
    /// How many of the controller's packets have been looked at.
    private var seen = 0

    init(
        packetLength: UInt16 = 251,
        packetCount: UInt8 = 12,
        role: ConnectionRole = .peripheral,
        configure: (inout HostConfiguration) -> Void = { _ in }
    ) {
        var controller = ScriptedController()
        controller.lePackets = LEReadBufferSizeReturn(aclDataLength: packetLength, aclPacketCount: packetCount)
        bench = .up(controller, configure: configure)
        connection = bench.connected(role: role)
    }

    var host: Host { bench.host }

    /// The peer sends a PDU on a channel.
    mutating func peer(_ channel: UInt16, _ hex: String) {
        guard let bytes = [UInt8](hex: hex) else { preconditionFailure("\(hex) are no hexadecimal digits") }
        bench.receiveFrame(bytes, channel: channel, on: connection)
    }

    /// The peer sends a signalling command.
    mutating func peer(_ hex: String) { peer(0x0005, hex) }

    /// What has gone out since the last call: ACL data, each packet without its header, as digits.
    mutating func sent() -> [String] {
        let packets = bench.controller.data
        defer { seen = packets.count }
        return packets[seen...].map { Array($0.dropFirst(5)).hex }
    }

    /// The signalling commands among what has gone out since the last call.
    mutating func commands() -> [String] {
        sent().compactMap { frame in
            let digits = Array(frame)
            return String(digits[4..<8]) == "0500" ? String(digits[8...]) : nil
        }
    }

    mutating func events() -> [ChannelEvent] {
        bench.takeEvents().compactMap { if case .channel(let event) = $0 { event } else { nil } }
    }

    /// The controller has sent so many packets.
    mutating func complete(_ count: Int) {
        let completed = CompletedPackets(connection: connection.handle, count: UInt16(count))
        bench.report(.numberOfCompletedPackets(NumberOfCompletedPackets(completed: [completed])))
    }

    mutating func listen(_ spsm: UInt16 = 0x80, _ options: ChannelListenerOptions = ChannelListenerOptions()) throws {
        let spsm: SPSM = try #require(SPSM(rawValue: spsm))
        try host.listen(on: spsm, options)
    }

    mutating func open(_ spsm: UInt16 = 0x80, _ options: ChannelOptions = ChannelOptions()) throws -> L2CAPChannelID {
        let connection = connection
        let spsm: SPSM = try #require(SPSM(rawValue: spsm))
        var id: L2CAPChannelID?
        try bench.order { host, now, actions throws(OrderError) in
            id = try host.openChannel(connection, to: spsm, options, at: now, into: &actions)
        }
        return try #require(id)
    }

    mutating func send(_ sdu: [UInt8], on channel: L2CAPChannelID) throws(OrderError) -> Bool {
        var isTaken = false
        try bench.order { host, now, actions throws(OrderError) in
            isTaken = try host.send(sdu, on: channel, at: now, into: &actions)
        }
        return isTaken
    }

    mutating func close(_ channel: L2CAPChannelID, discarding: Bool = false) throws(OrderError) {
        try bench.order { host, now, actions throws(OrderError) in
            try host.closeChannel(channel, discarding: discarding, at: now, into: &actions)
        }
    }

    /// A channel that the peer has opened to a listener on 0x0080, number 0x40 at this end and 0x41 at the peer's, all
    /// looked at. The peer takes SDUs of 512 bytes in frames of 100, and gives `credits`.
    mutating func opened(
        _ options: ChannelOptions = ChannelOptions(),
        credits: UInt16 = 10
    ) throws -> L2CAPChannelID {
        try listen(0x80, ChannelListenerOptions(channel: options))
        var credit: [UInt8] = []
        credit.appendUInt16(credits)
        peer("1401 0A00 8000 4100 0002 6400" + credit.hex)
        _ = sent()
        guard case .opened(let description) = events().first else { preconditionFailure("no channel is open") }
        return description.id
    }
}

extension ChannelEvent {
    /// The case's name.
    var name: String { String(String(describing: self).prefix { $0 != "(" }) }

    var closeReason: ChannelCloseReason? { if case .closed(_, let reason) = self { reason } else { nil } }
    var failure: ChannelOpenFailure? { if case .openFailed(_, let failure) = self { failure } else { nil } }
    var sdu: [UInt8]? { if case .received(_, let sdu) = self { sdu } else { nil } }
}
