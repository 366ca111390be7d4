internal import BluethroatBluetoothValues
internal import BluethroatPhoneService

extension Sighting {
    /// What an app is shown of an advertisement; what was not heard has no key.
    ///
    func dictionary(with wanted: WantedServices = WantedServices()) -> [String: Any] {
        func objects(_ uuids: [BluetoothUUID]) -> [CBUUID]? { uuids.isEmpty ? nil : uuids.map(wanted.object) }
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
        if !overflowServices.isEmpty {
            var objects: [CBUUID] = []
            objects.reserveCapacity(overflowServices.bitCount)
            overflowServices.forEach { uuid, place in objects.append(wanted.object(for: uuid, inPlace: place)) }
            dictionary[CBAdvertisementDataOverflowServiceUUIDsKey] = objects
        }
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
