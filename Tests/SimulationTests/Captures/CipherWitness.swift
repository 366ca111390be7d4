import BluethroatAirPackets
import BluethroatBluetoothCrypto
import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime

/// Knows of each PDU on one connection whether its controller encrypted it: those are encrypted that a decryptor with the
/// session key accepts. The long term key is what the central's host gives its controller.
final class CipherWitness: WorldTap {
    struct Verdict {
        let isEncrypted: Bool
        let judgedEncrypted: Bool
        let isRepeated: Bool
        let control: ControlOpcode?
    }

    private(set) var verdicts: [Verdict] = []
    private var links = EncryptedLinks()
    private var address: AccessAddress?
    private var central: RadioID?
    private var key: Block128?
    private var request: EncryptionRequest?
    private var session: LinkSession?
    private var counters: [Bool: UInt64] = [:]
    /// What each side sent last: a PDU with the same sequence number is the same PDU.
    private var last: [Bool: (sequenceNumber: Bool, isEncrypted: Bool)] = [:]

    func hci(_ packet: [UInt8], fromHost: Bool, of device: DeviceID, at now: Instant) {
        // H4 indicator, opcode and length stand before the parameters.
        guard fromHost, packet.count > 4, packet[0] == 0x01,
            UInt16(packet[1]) | UInt16(packet[2]) << 8 == Opcode.leEnableEncryption.rawValue
        else { return }
        var parameters = packet.span.bytes.extracting(4...)
        if let order = try? LEEnableEncryption(parsing: &parameters) {
            key = Block128(littleEndian: order.longTermKey)
        }
    }

    func transmitted(_ transmission: Transmission, by device: DeviceID) {
        let judged = links.isEncrypted(transmission)
        let frame = transmission.frame
        guard AirFrame.accessAddress(of: frame) != .advertising else { return connect(frame, by: transmission.radio) }
        guard AirFrame.accessAddress(of: frame) == address else { return }
        let header = AirFrame.dataHeader(of: frame)
        let isFromCentral = transmission.radio == central
        let payload = Array(frame[AirFrame.payloadRange(of: frame)])
        let isRepeated = last[isFromCentral]?.sequenceNumber == header.sequenceNumber
        let truth = isRepeated ? last[isFromCentral]?.isEncrypted == true : decrypts(payload, header, isFromCentral)
        last[isFromCentral] = (header.sequenceNumber, truth)
        let control = header.logicalLink == .control ? payload.first.map { ControlOpcode(rawValue: $0) } : nil
        verdicts.append(
            Verdict(isEncrypted: truth, judgedEncrypted: judged, isRepeated: isRepeated, control: truth ? nil : control)
        )
        if !truth, !isRepeated, control != nil { read(payload) }
    }

    private func connect(_ frame: [UInt8], by radio: RadioID) {
        guard let indication = AirFrame.connectIndication(in: frame) else { return }
        (address, central, session, request) = (indication.accessAddress, radio, nil, nil)
        (counters, last) = ([:], [:])
    }

    /// The session that the two sides agree upon in the clear.
    private func read(_ payload: [UInt8]) {
        var bytes = payload.span.bytes
        switch try? ControlPDU(parsing: &bytes) {
        case .encReq(let value)?: request = value
        case .encRsp(let response)?:
            guard let key, let request else { return }
            session = LinkSession(
                longTermKey: key,
                centralDiversifier: request.sessionKeyDiversifier,
                peripheralDiversifier: response.sessionKeyDiversifier,
                centralVector: request.initializationVector,
                peripheralVector: response.initializationVector
            )
            counters = [:]
        default: break
        }
    }

    private func decrypts(_ payload: [UInt8], _ header: DataHeader, _ isFromCentral: Bool) -> Bool {
        guard let session, payload.count > EncryptedLinks.integrityCheckLength else { return false }
        var decryptor = LinkDecryptor(
            session,
            direction: isFromCentral ? .centralToPeripheral : .peripheralToCentral,
            packetCounter: counters[isFromCentral] ?? 0
        )
        var copy = payload
        guard (try? decryptor.decrypt(&copy, header: UInt8(truncatingIfNeeded: header.rawValue))) != nil else {
            return false
        }
        counters[isFromCentral] = decryptor.packetCounter
        return true
    }
}
