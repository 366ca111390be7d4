import BluethroatAirPackets
import BluethroatBluetoothCrypto
import BluethroatBluetoothValues
import BluethroatHost
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime

/// A passive listener that follows one connection from its first frame on. It knows what is on the air, and no key.
final class Eavesdropper: WorldTap {
    /// A PDU on the data channels, as it was sent the first time.
    struct Heard {
        let header: DataHeader
        let payload: [UInt8]
        let fromCentral: Bool
    }

    private(set) var indication: ConnectIndication?
    private(set) var heard: [Heard] = []
    /// How often a PDU with a payload was sent again, and how often with other bytes than the first time.
    private(set) var repetitions = (all: 0, changed: 0)
    private var initiatingRadio: RadioID?
    private var lastSequence: [Bool: Bool] = [:]
    private var lastPDU: [Bool: [UInt8]] = [:]

    func transmitted(_ transmission: Transmission, by device: DeviceID) {
        let frame = transmission.frame
        if AirFrame.accessAddress(of: frame) == .advertising {
            let pdu = Array(frame[AirFrame.pduRange(of: frame)])
            var bytes = pdu.span.bytes
            if case .connectInd(let indication)? = try? AdvertisingPDU(parsing: &bytes) {
                self.indication = indication
                initiatingRadio = transmission.radio
                heard = []
                lastSequence = [:]
                repetitions = (0, 0)
            }
            return
        }
        guard let indication, AirFrame.accessAddress(of: frame) == indication.accessAddress else { return }
        let header = AirFrame.dataHeader(of: frame)
        let fromCentral = transmission.radio == initiatingRadio
        let payload = Array(frame[AirFrame.payloadRange(of: frame)]), pdu = [header.logicalLink.rawValue] + payload
        // The same sequence number again is the same PDU again.
        guard lastSequence[fromCentral] != header.sequenceNumber else {
            if lastPDU[fromCentral] != pdu { repetitions.changed += 1 }
            if !payload.isEmpty { repetitions.all += 1 }
            return
        }
        lastSequence[fromCentral] = header.sequenceNumber
        lastPDU[fromCentral] = pdu
        if !payload.isEmpty { heard.append(Heard(header: header, payload: payload, fromCentral: fromCentral)) }
    }

    /// Whether some bytes stand somewhere in what was heard.
    func heard(_ bytes: [UInt8]) -> Bool { heard.contains { $0.payload.contains(bytes) } }

    // MARK: What is sent in the clear

    /// The control PDUs before encryption began.
    var encryption: (request: EncryptionRequest, response: EncryptionResponse, end: Int)? {
        var request: EncryptionRequest?, response: EncryptionResponse?
        for (index, pdu) in heard.enumerated() where pdu.header.logicalLink == .control {
            var bytes = pdu.payload.span.bytes
            switch try? ControlPDU(parsing: &bytes) {
            case .encReq(let value): request = value
            case .encRsp(let value): response = value
            case .startEncReq:
                guard let request, let response else { return nil }
                return (request, response, index + 1)
            default: break
            }
        }
        return nil
    }

    /// The pairing, as far as it was in the clear, in the order on the air.
    var pairing: [(pdu: SMPPDU, bytes: [UInt8], fromCentral: Bool)] {
        var frames = Frames()
        return heard.prefix(encryption?.end ?? heard.count).compactMap { pdu in
            guard let frame = frames.take(pdu.header, pdu.payload, pdu.fromCentral), frame.channel == 6,
                let smp = try? SMPPDU(parsing: frame.pdu.span.bytes)
            else { return nil }
            return (smp, frame.pdu, pdu.fromCentral)
        }
    }

    var initiator: DeviceAddress? { indication?.initiator }
    var responder: DeviceAddress? { indication?.advertiser }

    // MARK: What is not

    /// All L2CAP frames after encryption began, read with a key; nil if the key is not the right one.
    func decrypted(with key: Block128) -> [(channel: UInt16, pdu: [UInt8])]? {
        guard let (request, response, start) = encryption else { return nil }
        let session = LinkSession(
            longTermKey: key,
            centralDiversifier: request.sessionKeyDiversifier,
            peripheralDiversifier: response.sessionKeyDiversifier,
            centralVector: request.initializationVector,
            peripheralVector: response.initializationVector
        )
        var fromCentral = LinkDecryptor(session, direction: .centralToPeripheral)
        var fromPeripheral = LinkDecryptor(session, direction: .peripheralToCentral)
        var found: [(UInt16, [UInt8])] = [], frames = Frames()
        for pdu in heard[start...] {
            var payload = pdu.payload
            let header = UInt8(truncatingIfNeeded: pdu.header.rawValue)
            do {
                if pdu.fromCentral {
                    try fromCentral.decrypt(&payload, header: header)
                } else {
                    try fromPeripheral.decrypt(&payload, header: header)
                }
            } catch { return nil }
            if let frame = frames.take(pdu.header, payload, pdu.fromCentral) { found.append(frame) }
        }
        return found
    }

    /// L2CAP frames put together from what data PDUs carry.
    private struct Frames {
        private var beginnings: [Bool: [UInt8]] = [:]

        mutating func take(
            _ header: DataHeader,
            _ payload: [UInt8],
            _ fromCentral: Bool
        ) -> (channel: UInt16, pdu: [UInt8])? {
            switch header.logicalLink {
            case .start: beginnings[fromCentral] = payload
            case .continuation: beginnings[fromCentral]? += payload
            case .control, .reserved: return nil
            }
            guard let frame = beginnings[fromCentral], frame.count >= 4,
                frame.count == 4 + Int(frame[0]) + Int(frame[1]) << 8
            else { return nil }
            beginnings[fromCentral] = nil
            return (UInt16(frame[2]) | UInt16(frame[3]) << 8, Array(frame[4...]))
        }
    }
}

extension [UInt8] {
    func contains(_ other: [UInt8]) -> Bool {
        guard other.count <= count else { return false }
        return (0...(count - other.count)).contains { Array(self[$0..<$0 + other.count]) == other }
    }
}
