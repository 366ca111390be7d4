import BluethroatAttributeText
import BluethroatBluetoothValues
import BluethroatByteCoding
import BluethroatHost

extension SightingView {
    init(_ entry: DiscoveryCache.Entry) {
        let data = entry.advertisingData
        self.init(
            address: "\(entry.address)",
            name: entry.localName?.shown,
            signalStrength: entry.signalStrength.map { Int($0.dBm) },
            firstHeard: entry.firstHeard.seconds,
            lastHeard: entry.lastHeard.seconds,
            isConnectable: entry.isConnectable,
            services: data.structures.flatMap(Self.uuids).map { $0.assignedName(as: .service) ?? "\($0)" },
            advertisement: (entry.data ?? []).hex,
            scanResponse: entry.scanResponse.map(\.hex),
            fields: Self.fields(of: data)
        )
    }

    static func fields(of data: AdvertisingData) -> [Field] {
        data.structures.map { Field(name: name($0.type), text: text($0), bytes: $0.bytes.hex) }
    }

    private static func name(_ type: AdvertisingData.DataType) -> String {
        switch type {
        case .flags: "Flags"
        case .incompleteUUIDs16, .incompleteUUIDs32, .incompleteUUIDs128: "Services, not all"
        case .completeUUIDs16, .completeUUIDs32, .completeUUIDs128: "Services"
        case .shortenedLocalName: "Name, shortened"
        case .completeLocalName: "Name"
        case .txPowerLevel: "Transmit power"
        case .peripheralConnectionIntervalRange: "Connection interval"
        case .solicitedUUIDs16, .solicitedUUIDs128: "Services wanted"
        case .serviceData16, .serviceData32, .serviceData128: "Service data"
        case .appearance: "Appearance"
        case .manufacturerSpecific: "Manufacturer"
        default: "Type 0x\([type.rawValue].hex.uppercased())"
        }
    }

    /// The UUIDs that a structure lists.
    private static func uuids(_ structure: AdvertisingData.Structure) -> [BluetoothUUID] {
        switch structure.type {
        case .incompleteUUIDs16, .completeUUIDs16, .solicitedUUIDs16: split(structure.bytes, 2)
        case .incompleteUUIDs32, .completeUUIDs32: split(structure.bytes, 4)
        case .incompleteUUIDs128, .completeUUIDs128, .solicitedUUIDs128: split(structure.bytes, 16)
        default: []
        }
    }

    private static func split(_ bytes: [UInt8], _ length: Int) -> [BluetoothUUID] {
        stride(from: 0, to: bytes.count - length + 1, by: length).compactMap { start in
            let part = Array(bytes[start..<(start + length)])
            var cursor = part.span.bytes
            return try? BluetoothUUID(parsing: &cursor)
        }
    }

    private static func text(_ structure: AdvertisingData.Structure) -> String {
        let bytes = structure.bytes
        switch structure.type {
        case .completeLocalName, .shortenedLocalName: return String(decoding: bytes, as: UTF8.self).shown
        case .flags:
            let flags = AdvertisingData.Flags(rawValue: bytes.first ?? 0)
            let names = [
                flags.contains(.limitedDiscoverable) ? "limited discoverable" : nil,
                flags.contains(.generalDiscoverable) ? "general discoverable" : nil,
                flags.contains(.brEDRNotSupported) ? "BR/EDR not supported" : nil,
            ]
            return names.compactMap { $0 }.joined(separator: ", ")
        case .txPowerLevel: return bytes.first.map { "\(Int8(bitPattern: $0)) dBm" } ?? ""
        case .appearance where bytes.count == 2:
            return Appearance(rawValue: UInt16(bytes[0]) | UInt16(bytes[1]) << 8).description
        case .manufacturerSpecific where bytes.count >= 2:
            let messages = BroadcastMessage.all(in: structure)
            if !messages.isEmpty { return messages.map(\.text).joined(separator: "; ") }
            return CompanyIdentifier(rawValue: UInt16(bytes[0]) | UInt16(bytes[1]) << 8).description
        case .peripheralConnectionIntervalRange where bytes.count == 4:
            let steps = [UInt16(bytes[0]) | UInt16(bytes[1]) << 8, UInt16(bytes[2]) | UInt16(bytes[3]) << 8]
            return steps.map { "\(Double($0) * 1.25) ms" }.joined(separator: " to ")
        case .serviceData16 where bytes.count >= 2:
            let messages = BroadcastMessage.all(in: structure)
            if !messages.isEmpty { return messages.map(\.text).joined(separator: "; ") }
            let uuid = BluetoothUUID(UInt16(bytes[0]) | UInt16(bytes[1]) << 8)
            return named(uuid)
        default:
            return uuids(structure).map(named).joined(separator: ", ")
        }
    }

    /// A service's name and number.
    private static func named(_ uuid: BluetoothUUID) -> String {
        uuid.assignedName(as: .service).map { "\($0) (\(uuid))" } ?? "\(uuid)"
    }
}
