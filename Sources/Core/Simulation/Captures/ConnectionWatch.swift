import BluethroatAirPackets
import BluethroatVirtualTime

/// Follows connections by listening, as a sniffer does: a CONNECT_IND has the access address and CRC preset of the
/// link that follows, and shows which device is its central.
///
/// A link on which nothing was sent for longer than any supervision timeout is over, and is forgotten.
struct ConnectionWatch: Sendable {
    private struct Link {
        var crcInit: CRCInit
        var central: UInt32
        var lastFrame: Instant
    }

    /// The longest connSupervisionTimeout. Core 6.0, Vol 6, Part B, 4.5.2.
    private static let longestSilence = TimeSpan.seconds(32)
    private static let leastCrowd = 64

    private var links: [AccessAddress: Link] = [:]
    /// How many links there may be before those that are over are looked for.
    private var crowd = leastCrowd

    /// How many links are remembered.
    var count: Int { links.count }

    /// What is known of a frame sent at an instant by the device with the number `transmitter`.
    mutating func observe(
        _ frame: [UInt8],
        from transmitter: UInt32,
        at now: Instant
    ) -> (RadioHeader.PDUType, RadioHeader.CRCState) {
        guard AirFrame.isWellFormed(frame) else { return (.advertisingOrData, .notChecked) }
        let address = AirFrame.accessAddress(of: frame)
        if address == .advertising {
            let isRight = AirFrame.hasValidCRC(frame, crcInit: .advertising)
            if isRight { noteConnection(frame, from: transmitter, at: now) }
            return (.advertisingOrData, isRight ? .right : .wrong)
        }
        guard let index = links.index(forKey: address) else { return (.advertisingOrData, .notChecked) }
        links.values[index].lastFrame = now
        let link = links.values[index]
        return (
            transmitter == link.central ? .dataCentralToPeripheral : .dataPeripheralToCentral,
            AirFrame.hasValidCRC(frame, crcInit: link.crcInit) ? .right : .wrong
        )
    }

    private mutating func noteConnection(_ frame: [UInt8], from transmitter: UInt32, at now: Instant) {
        guard let indication = AirFrame.connectIndication(in: frame) else { return }
        links[indication.accessAddress] = Link(crcInit: indication.crcInit, central: transmitter, lastFrame: now)
        guard links.count > crowd else { return }
        links = links.filter { now - $0.value.lastFrame <= Self.longestSilence }
        crowd = max(Self.leastCrowd, links.count * 2)
    }
}
