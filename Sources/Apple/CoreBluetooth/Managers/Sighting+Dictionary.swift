internal import BluethroatBluetoothValues
internal import BluethroatPhoneService

extension Sighting {
    /// What an app is shown of an advertisement; what was not heard has no key.
    ///
    /// - Parameter wanted: the app's own objects for services that it looks for.
    func dictionary(with wanted: [BluetoothUUID: CBUUID] = [:]) -> [String: Any] {
        func objects(_ uuids: [BluetoothUUID]) -> [CBUUID]? {
            guard !uuids.isEmpty else { return nil }
            return uuids.map { uuid in
                // A long spelling of a short UUID is printed otherwise.
                if let known = wanted[uuid], known.value.width == uuid.width { known } else { CBUUID(uuid) }
            }
        }
        var dictionary: [String: Any] = [CBAdvertisementDataIsConnectable: NSNumber.truth(isConnectable)]
        // Most have little of it, and an entry that is set to nil is looked for all the same.
        if let name = advertisement.localName { dictionary[CBAdvertisementDataLocalNameKey] = name }
        if let power = advertisement.txPower {
            dictionary[CBAdvertisementDataTxPowerLevelKey] = NSNumber.strength(power)
        }
        if let data = advertisement.first(.manufacturerSpecific) {
            dictionary[CBAdvertisementDataManufacturerDataKey] = Data(data)
        }
        if let objects = objects(advertisement.serviceUUIDs) {
            dictionary[CBAdvertisementDataServiceUUIDsKey] = objects
        }
        if let objects = objects(overflowServices.uuids) { dictionary[CBAdvertisementDataOverflowServiceUUIDsKey] = objects }
        if let objects = objects(advertisement.solicitedUUIDs) {
            dictionary[CBAdvertisementDataSolicitedServiceUUIDsKey] = objects
        }
        let serviceData = advertisement.serviceData
        if !serviceData.isEmpty {
            dictionary[CBAdvertisementDataServiceDataKey] = Dictionary(
                serviceData.map { (CBUUID($0.service), Data($0.data)) }
            ) { first, _ in first }
        }
        return dictionary
    }
}
