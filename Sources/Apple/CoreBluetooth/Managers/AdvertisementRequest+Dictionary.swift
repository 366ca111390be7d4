internal import BluethroatBluetoothValues
internal import BluethroatHost
internal import BluethroatPhoneService

extension AdvertisementRequest {
    /// The key under which Core Location passes an iBeacon. It is in no header of CoreBluetooth.
    private static let beaconKey = "kCBAdvDataAppleBeaconKey"

    /// Of an app's dictionary, the name, services and an iBeacon are advertised.
    init(_ dictionary: [String: Any]) {
        self.init()
        for (key, value) in dictionary {
            switch key {
            case CBAdvertisementDataLocalNameKey: localName = value as? String
            case CBAdvertisementDataServiceUUIDsKey: services = (value as? [CBUUID])?.map { $0.value } ?? []
            case Self.beaconKey:
                beacon = (value as? Data).flatMap { BeaconAdvertisement(Array($0)) }
                if beacon == nil { ignoredKeys.append(key) }
            default: ignoredKeys.append(key)
            }
        }
        if ignoredKeys.count > 1 { ignoredKeys.sort() }
    }

    /// As an app that is restored finds it.
    var dictionary: [String: Any] {
        var dictionary: [String: Any] = [:]
        dictionary[CBAdvertisementDataLocalNameKey] = localName
        if !services.isEmpty { dictionary[CBAdvertisementDataServiceUUIDsKey] = services.map(CBUUID.init) }
        dictionary[Self.beaconKey] = beacon.map { Data($0.bytes) }
        return dictionary
    }
}

extension CBATTRequest {
    /// What goes back: the value that the app has put in, or a refusal.
    func answer(_ result: CBATTError.Code) -> LocalAnswer {
        guard result != .success else { return .accepted(value.map { Array($0) } ?? []) }
        // A code that does not fit into the byte it is sent in says nothing.
        let error = UInt8(exactly: result.rawValue).map(ATTError.init(rawValue:)) ?? .unlikelyError
        return .refused(error, (characteristic as? CBMutableCharacteristic)?.publishedAs)
    }
}
