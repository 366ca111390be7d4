import AirPackets

/// Follows connections by listening, as a sniffer does: a CONNECT_IND tells the access address and CRC preset of the
/// link that follows, and who is its central.
struct ConnectionWatch: Sendable {
    private struct Link {
        var crcInit: CRCInit
        var central: UInt32
    }

    private var links: [AccessAddress: Link] = [:]

    /// What can be told of a frame sent by the device with the number `transmitter`.
    mutating func observe(_ frame: [UInt8], from transmitter: UInt32) -> (RadioHeader.PDUType, RadioHeader.CRCState) {
        guard AirFrame.isWellFormed(frame) else { return (.advertisingOrData, .notChecked) }
        let address = AirFrame.accessAddress(of: frame)
        if address == .advertising {
            let isRight = AirFrame.hasValidCRC(frame, crcInit: .advertising)
            if isRight { noteConnection(frame, from: transmitter) }
            return (.advertisingOrData, isRight ? .right : .wrong)
        }
        guard let link = links[address] else { return (.advertisingOrData, .notChecked) }
        return (
            transmitter == link.central ? .dataCentralToPeripheral : .dataPeripheralToCentral,
            AirFrame.hasValidCRC(frame, crcInit: link.crcInit) ? .right : .wrong
        )
    }

    private mutating func noteConnection(_ frame: [UInt8], from transmitter: UInt32) {
        guard AirFrame.advertisingHeader(of: frame).type == .connectInd else { return }
        var bytes = frame.span.bytes.extracting(AirFrame.pduRange(of: frame))
        guard case .connectInd(let indication)? = try? AdvertisingPDU(parsing: &bytes) else { return }
        links[indication.accessAddress] = Link(crcInit: indication.crcInit, central: transmitter)
    }
}
