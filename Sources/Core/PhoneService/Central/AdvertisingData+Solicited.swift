import BluethroatBluetoothValues

extension AdvertisingData {
    /// The services that an advertiser looks for.
    var solicitedUUIDs: [BluetoothUUID] {
        uuids(in: .solicitedUUIDs16, bytes: 2) + uuids(in: .solicitedUUIDs128, bytes: 16)
    }

    private func uuids(in type: DataType, bytes width: Int) -> [BluetoothUUID] {
        structures.filter { $0.type == type }.flatMap { structure in
            stride(from: 0, through: structure.bytes.count - width, by: width).compactMap { start in
                var span = structure.bytes.span.bytes.extracting(start..<(start + width))
                return try? BluetoothUUID(parsing: &span)
            }
        }
    }
}
