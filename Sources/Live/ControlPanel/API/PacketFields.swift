import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatByteCoding
import BluethroatHost
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime
import BluethroatWorkbench

extension PacketView {
    init(_ packet: AirLog.Packet) {
        self.init(
            number: packet.number,
            time: packet.transmission.start.seconds,
            length: (packet.transmission.end - packet.transmission.start).seconds,
            channel: Int(packet.transmission.channel.index),
            device: Int(packet.device.rawValue),
            access: Int(packet.accessAddress),
            kind: Self.kind(of: packet.transmission.frame),
            text: PacketFields.summary(of: packet.transmission.frame, isEncrypted: packet.isEncrypted),
            collided: packet.collided,
            damaged: !packet.damagedReceivers.isEmpty,
            lost: packet.isLost,
            encrypted: packet.isEncrypted
        )
    }

    private static func kind(of frame: [UInt8]) -> Kind {
        guard AirFrame.isWellFormed(frame) else { return .data }
        if AirFrame.accessAddress(of: frame) == .advertising {
            switch AirFrame.advertisingHeader(of: frame).type {
            case .scanReq, .scanRsp: return .scan
            case .connectInd: return .connect
            default: return .advertising
            }
        }
        let header = AirFrame.dataHeader(of: frame)
        if header.logicalLink == .control { return .control }
        return header.isEmpty ? .empty : .data
    }
}

extension PacketDetail {
    init(_ packet: AirLog.Packet) {
        let view = PacketView(packet)
        self.init(
            number: packet.number,
            time: view.time,
            length: view.length,
            channel: view.channel,
            phy: packet.transmission.phy.name,
            power: Int(packet.transmission.power.dBm),
            device: view.device,
            access: view.access,
            isData: packet.isData,
            text: view.text,
            receivers: packet.receivers.map { Int($0.rawValue) },
            damagedReceivers: packet.damagedReceivers.map { Int($0.rawValue) },
            collided: packet.collided,
            lost: packet.isLost,
            encrypted: packet.isEncrypted,
            fields: PacketFields.tree(of: packet.transmission.frame, isEncrypted: packet.isEncrypted),
            bytes: packet.transmission.frame.hex
        )
    }
}

/// A frame field by field.
enum PacketFields {
    typealias Field = PacketDetail.Field

    static func tree(of frame: [UInt8], isEncrypted: Bool = false) -> [Field] {
        guard AirFrame.isWellFormed(frame) else { return [Field("Bytes", frame.hex)] }
        let isAdvertising = AirFrame.accessAddress(of: frame) == .advertising
        return [
            Field("Access address", "\(AirFrame.accessAddress(of: frame))"),
            isAdvertising ? advertising(frame) : data(frame, isEncrypted: isEncrypted),
            Field("CRC", Array(frame.suffix(3)).hex),
        ]
    }

    /// A frame in one line: of an ATT PDU what it says, of an encrypted one that it is encrypted, of any other what it is.
    static func summary(of frame: [UInt8], isEncrypted: Bool = false) -> String {
        let plain = AirFrameSummary(frame, isEncrypted: isEncrypted).description
        guard !isEncrypted, AirFrame.isWellFormed(frame), AirFrame.accessAddress(of: frame) != .advertising,
            AirFrame.dataHeader(of: frame).logicalLink == .start
        else { return plain }
        let payload = payload(frame)
        // L2CAP's length, its channel, ATT's opcode.
        guard payload.count >= 5, payload[2] == 4, payload[3] == 0, let name = attNames[payload[4]] else {
            return plain
        }
        guard handled.contains(payload[4]), payload.count >= 7 else { return "ATT \(name)" }
        return "ATT \(name), handle \(handleText(payload[5], payload[6]))"
    }

    private static func advertising(_ frame: [UInt8]) -> Field {
        let header = AirFrame.advertisingHeader(of: frame)
        var fields = [Field("Length", "\(frame.count - AirFrame.overhead) bytes")]
        guard let pdu = try? AdvertisingPDU(frame: frame) else {
            return Field(
                "Advertising PDU of type \(header.type.rawValue)",
                nil,
                fields + [Field("Payload", payload(frame).hex)]
            )
        }
        switch pdu {
        case .advInd(let advertiser, let data, _):
            fields += [Field("Advertiser", "\(advertiser)")] + structures(data)
            return Field("ADV_IND", nil, fields)
        case .advNonconnInd(let advertiser, let data):
            fields += [Field("Advertiser", "\(advertiser)")] + structures(data)
            return Field("ADV_NONCONN_IND", nil, fields)
        case .advScanInd(let advertiser, let data):
            fields += [Field("Advertiser", "\(advertiser)")] + structures(data)
            return Field("ADV_SCAN_IND", nil, fields)
        case .scanRsp(let advertiser, let data):
            fields += [Field("Advertiser", "\(advertiser)")] + structures(data)
            return Field("SCAN_RSP", nil, fields)
        case .advDirectInd(let advertiser, let target, _):
            return Field(
                "ADV_DIRECT_IND",
                nil,
                fields + [Field("Advertiser", "\(advertiser)"), Field("Target", "\(target)")]
            )
        case .scanReq(let scanner, let advertiser):
            return Field(
                "SCAN_REQ",
                nil,
                fields + [Field("Scanner", "\(scanner)"), Field("Advertiser", "\(advertiser)")]
            )
        case .connectInd(let indication):
            let parameters = indication.parameters
            return Field(
                "CONNECT_IND",
                nil,
                fields + [
                    Field("Initiator", "\(indication.initiator)"), Field("Advertiser", "\(indication.advertiser)"),
                    Field("Access address of the connection", "\(indication.accessAddress)"),
                    Field("Interval", "\(parameters.interval.span)"), Field("Latency", "\(parameters.latency.events)"),
                    Field("Supervision timeout", "\(parameters.supervisionTimeout.span)"),
                ]
            )
        case .unknown(let header, let payload):
            return Field(
                "Advertising PDU of type \(header.type.rawValue)",
                nil,
                fields + [Field("Payload", payload.hex)]
            )
        }
    }

    private static func structures(_ data: [UInt8]) -> [Field] {
        let fields = SightingView.fields(of: AdvertisingData(lenient: data))
        return [
            Field("Data", "\(data.count) bytes", fields.map { Field($0.name, $0.text.isEmpty ? $0.bytes : $0.text) })
        ]
    }

    private static func data(_ frame: [UInt8], isEncrypted: Bool) -> Field {
        let header = AirFrame.dataHeader(of: frame)
        let payload = payload(frame)
        var fields = [
            Field("SN", header.sequenceNumber ? "1" : "0"),
            Field("NESN", header.nextExpectedSequenceNumber ? "1" : "0"),
            Field("More data", header.moreData ? "yes" : "no"), Field("Length", "\(payload.count) bytes"),
        ]
        guard !isEncrypted else {
            fields.append(Field("Encrypted payload", Array(payload.dropLast(EncryptedLinks.integrityCheckLength)).hex))
            fields.append(Field("MIC", Array(payload.suffix(EncryptedLinks.integrityCheckLength)).hex))
            return Field("\(name(of: header.logicalLink)), encrypted", nil, fields)
        }
        switch header.logicalLink {
        case .control:
            fields.append(control(payload))
        case .start: fields.append(l2cap(payload))
        case .continuation where payload.isEmpty: return Field("Empty LL data PDU", nil, fields)
        case .continuation, .reserved: fields.append(Field("Bytes", payload.hex))
        }
        return Field(name(of: header.logicalLink), nil, fields)
    }

    private static func name(of logicalLink: DataHeader.LogicalLink) -> String {
        switch logicalLink {
        case .control: "LL control PDU"
        case .start: "LL data PDU, start of an L2CAP PDU"
        case .continuation: "LL data PDU, continuation"
        case .reserved: "LL data PDU of a reserved kind"
        }
    }

    private static func control(_ payload: [UInt8]) -> Field {
        guard let first = payload.first else { return Field("Opcode", "missing") }
        return Field("\(ControlOpcode(rawValue: first))", Array(payload.dropFirst()).hex)
    }

    private static func l2cap(_ payload: [UInt8]) -> Field {
        guard payload.count >= 4 else { return Field("L2CAP", payload.hex) }
        let length = Int(payload[0]) | Int(payload[1]) << 8
        let channel = Int(payload[2]) | Int(payload[3]) << 8
        let body = Array(payload[4...])
        let names = [4: "ATT", 5: "LE signalling", 6: "Security Manager"]
        var fields = [Field("Length", "\(length) bytes"), Field("Channel", names[channel] ?? "\(channel)")]
        fields.append(channel == 4 ? att(body) : Field("Bytes", body.hex))
        return Field("L2CAP", nil, fields)
    }

    private static func att(_ body: [UInt8]) -> Field {
        guard let opcode = body.first else { return Field("ATT", "empty") }
        let rest = Array(body.dropFirst())
        let name = attNames[opcode] ?? "opcode 0x\([opcode].hex.uppercased())"
        guard handled.contains(opcode), rest.count >= 2 else { return Field("ATT \(name)", rest.hex) }
        let value = Array(rest.dropFirst(2))
        return Field(
            "ATT \(name)",
            nil,
            [Field("Handle", handleText(rest[0], rest[1]))] + (value.isEmpty ? [] : [Field("Value", value.hex)])
        )
    }

    /// PDUs that begin with a handle. Core 6.0, Vol 3, Part F, 3.4.8.
    private static let handled: Set<UInt8> = [0x0A, 0x0C, 0x12, 0x16, 0x17, 0x1B, 0x1D, 0x52, 0xD2]
    private static let attNames: [UInt8: String] = [
        0x01: "Error Response", 0x02: "Exchange MTU Request", 0x03: "Exchange MTU Response",
        0x04: "Find Information Request", 0x05: "Find Information Response", 0x06: "Find By Type Value Request",
        0x07: "Find By Type Value Response", 0x08: "Read By Type Request", 0x09: "Read By Type Response",
        0x0A: "Read Request", 0x0B: "Read Response", 0x0C: "Read Blob Request", 0x0D: "Read Blob Response",
        0x0E: "Read Multiple Request", 0x0F: "Read Multiple Response", 0x10: "Read By Group Type Request",
        0x11: "Read By Group Type Response", 0x12: "Write Request", 0x13: "Write Response",
        0x16: "Prepare Write Request", 0x17: "Prepare Write Response", 0x18: "Execute Write Request",
        0x19: "Execute Write Response", 0x1B: "Notification", 0x1D: "Indication", 0x1E: "Confirmation",
        0x52: "Write Command", 0xD2: "Signed Write Command",
    ]

    /// A handle as everywhere else: `0x0025`.
    private static func handleText(_ low: UInt8, _ high: UInt8) -> String { "0x\([high, low].hex.uppercased())" }

    private static func payload(_ frame: [UInt8]) -> [UInt8] { Array(frame[AirFrame.payloadRange(of: frame)]) }
}

extension PacketDetail.Field {
    init(_ name: String, _ value: String?, _ fields: [Self] = []) {
        self.init(name: name, value: value, fields: fields)
    }
}
