import BluethroatBluetoothValues

/// What a peer says, advertisement and scan response together, read once: most of what is heard was heard before.
struct HeardAdvertisement {
    /// All of it.
    private(set) var data = AdvertisingData()
    /// Without the overflow area, which the system keeps to itself.
    private(set) var shown = AdvertisingData()
    /// Nil where there is none.
    private(set) var overflow: OverflowArea?
    private(set) var localName: String?
    private(set) var serviceUUIDs: [BluetoothUUID] = []
    private(set) var solicitedUUIDs: [BluetoothUUID] = []

    init() {}

    init(_ advertisement: [UInt8], _ scanResponse: [UInt8]?) {
        data = AdvertisingData(lenient: advertisement)
        if let scanResponse { data.structures += AdvertisingData(lenient: scanResponse).structures }
        shown = data
        overflow = OverflowArea(in: data)
        if overflow != nil { shown.structures.removeAll(where: OverflowArea.isCarried) }
        localName = data.localName
        serviceUUIDs = shown.serviceUUIDs
        solicitedUUIDs = shown.solicitedUUIDs
    }
}
