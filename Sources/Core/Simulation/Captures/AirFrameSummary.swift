import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatByteCoding

/// A frame in one line, for logs that people read.
///
///     ADV_IND 78:C5:E5:9B:76:0D 9 bytes
///     0x50654A6B SN 1 NESN 0 LL_TERMINATE_IND remote user terminated connection
public struct AirFrameSummary: Hashable, Sendable, CustomStringConvertible {
    /// The line.
    public let description: String

    /// Sums up any bytes; what is no whole frame is shown as digits.
    ///
    /// - Parameters:
    ///   - frame: from the access address to the CRC.
    ///   - isEncrypted: whether the payload of a data PDU is ciphertext and a MIC, of which only the length says anything;
    ///     `EncryptedLinks` finds out.
    public init(_ frame: [UInt8], isEncrypted: Bool = false) {
        guard AirFrame.isWellFormed(frame) else {
            description = "no frame: \(frame.hex)"
            return
        }
        let address = AirFrame.accessAddress(of: frame)
        description =
            address == .advertising
            ? Self.advertising(frame)
            : "\(address) " + Self.data(frame, AirFrame.dataHeader(of: frame), isEncrypted: isEncrypted)
    }

    private static func advertising(_ frame: [UInt8]) -> String {
        do {
            return text(of: try AdvertisingPDU(frame: frame))
        } catch {
            return "advertising type \(AirFrame.advertisingHeader(of: frame).type.rawValue), \(error)"
        }
    }

    private static func text(of pdu: AdvertisingPDU) -> String {
        switch pdu {
        case .advInd(let advertiser, let data, _): return "ADV_IND \(advertiser) \(data.count) bytes"
        case .advDirectInd(let advertiser, let target, _): return "ADV_DIRECT_IND \(advertiser) to \(target)"
        case .advNonconnInd(let advertiser, let data): return "ADV_NONCONN_IND \(advertiser) \(data.count) bytes"
        case .advScanInd(let advertiser, let data): return "ADV_SCAN_IND \(advertiser) \(data.count) bytes"
        case .scanReq(let scanner, let advertiser): return "SCAN_REQ \(scanner) to \(advertiser)"
        case .scanRsp(let advertiser, let data): return "SCAN_RSP \(advertiser) \(data.count) bytes"
        case .connectInd(let indication):
            let parameters = indication.parameters
            return "CONNECT_IND \(indication.initiator) to \(indication.advertiser) as \(indication.accessAddress)"
                + ", interval \(parameters.interval.span), latency \(parameters.latency.events)"
                + ", timeout \(parameters.supervisionTimeout.span)"
        case .unknown(let header, let payload):
            return "advertising type \(header.type.rawValue) \(payload.count) bytes"
        }
    }

    private static func data(_ frame: [UInt8], _ header: DataHeader, isEncrypted: Bool) -> String {
        let flags =
            "SN \(header.sequenceNumber ? 1 : 0) NESN \(header.nextExpectedSequenceNumber ? 1 : 0)"
            + (header.moreData ? " MD" : "")
        guard !isEncrypted else { return "\(flags) encrypted \(encrypted(header)) \(header.length) bytes" }
        switch header.logicalLink {
        case .control: return "\(flags) \(control(frame))"
        case .start: return "\(flags) start \(header.length) bytes"
        case .continuation: return header.isEmpty ? "\(flags) empty" : "\(flags) continuation \(header.length) bytes"
        case .reserved: return "\(flags) reserved LLID \(header.length) bytes"
        }
    }

    /// What the header, which is in the clear, says of an encrypted payload.
    private static func encrypted(_ header: DataHeader) -> String {
        switch header.logicalLink {
        case .control: "LL control PDU"
        case .start: "start"
        case .continuation: "continuation"
        case .reserved: "reserved LLID"
        }
    }

    private static func control(_ frame: [UInt8]) -> String {
        let payload = AirFrame.payloadRange(of: frame)
        guard let first = frame[payload].first else { return "control PDU without opcode" }
        var bytes = frame.span.bytes.extracting(payload)
        do {
            let pdu = try ControlPDU(parsing: &bytes)
            return [pdu.opcode.description, detail(of: pdu)].compactMap { $0 }.joined(separator: " ")
        } catch {
            return "\(ControlOpcode(rawValue: first)), \(error)"
        }
    }

    /// What decides how a procedure goes on.
    private static func detail(of pdu: ControlPDU) -> String? {
        switch pdu {
        case .terminateInd(let reason), .rejectInd(let reason): reason.description
        case .rejectExtInd(let opcode, let reason): "of \(opcode): \(reason)"
        case .unknownRsp(let opcode): "to \(opcode)"
        case .connectionUpdateInd(let update): "at event \(update.instant)"
        case .channelMapInd(let indication): "at event \(indication.instant)"
        case .phyUpdateInd(let update): "at event \(update.instant)"
        default: nil
        }
    }
}
