/// What an advertisement says of services.
extension AdvertisingData {
    /// All advertised service UUIDs, in order; a list whose length does not fit its width is cut short.
    public var serviceUUIDs: [BluetoothUUID] {
        var uuids: [BluetoothUUID] = []
        add(.incompleteUUIDs16, .completeUUIDs16, width: 2, to: &uuids)
        add(.incompleteUUIDs32, .completeUUIDs32, width: 4, to: &uuids)
        add(.incompleteUUIDs128, .completeUUIDs128, width: 16, to: &uuids)
        return uuids
    }

    /// The services that the advertiser looks for, in order; a list whose length does not fit its width is cut short.
    package var solicitedUUIDs: [BluetoothUUID] {
        var uuids: [BluetoothUUID] = []
        add(.solicitedUUIDs16, .solicitedUUIDs16, width: 2, to: &uuids)
        add(.solicitedUUIDs32, .solicitedUUIDs32, width: 4, to: &uuids)
        add(.solicitedUUIDs128, .solicitedUUIDs128, width: 16, to: &uuids)
        return uuids
    }

    /// Data of services, in order; a structure that is too short for its UUID is left out.
    package var serviceData: [(service: BluetoothUUID, data: ArraySlice<UInt8>)] {
        var found: [(service: BluetoothUUID, data: ArraySlice<UInt8>)] = []
        for (type, width) in [(DataType.serviceData16, 2), (.serviceData32, 4), (.serviceData128, 16)] {
            for structure in structures where structure.type == type {
                guard let service = structure.uuid(at: 0, width: width) else { continue }
                found.append((service, structure.bytes.dropFirst(width)))
            }
        }
        return found
    }

    /// Adds the UUIDs in all structures of either type.
    private func add(_ type: DataType, _ other: DataType, width: Int, to uuids: inout [BluetoothUUID]) {
        for structure in structures where structure.type == type || structure.type == other {
            var start = 0
            while let uuid = structure.uuid(at: start, width: width) {
                uuids.append(uuid)
                start += width
            }
        }
    }
}

extension AdvertisingData.Structure {
    /// The UUID of 2, 4 or 16 bytes that begins there; nil if fewer are left.
    fileprivate func uuid(at start: Int, width: Int) -> BluetoothUUID? {
        guard start + width <= bytes.count else { return nil }
        var span = bytes.span.bytes.extracting(start..<(start + width))
        return try? BluetoothUUID(parsing: &span)
    }
}
