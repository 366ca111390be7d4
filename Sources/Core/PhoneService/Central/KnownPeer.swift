import BluethroatBluetoothValues
import BluethroatHost

typealias PeerIndex = TableIndex<KnownPeer>

/// What a phone knows of one peer, for all its apps.
struct KnownPeer {
    /// How to call it: its identity if it is bonded, else the address on the air.
    var address: DeviceAddress
    /// The name from its Generic Access service.
    var givenName: String?
    /// The latest advertisement and the latest scan response.
    var advertisement: [UInt8] = []
    var scanResponse: [UInt8]?
    var isConnectable = false
    var strength: SignalStrength?
    /// Advertisements since the last scan response.
    var unanswered = 0
    /// What was found in it, as far as it may be kept.
    var attributes = AttributeCache()

    init(address: DeviceAddress) { self.address = address }

    var advertisingData: AdvertisingData {
        AdvertisingData(
            AdvertisingData(lenient: advertisement).structures + AdvertisingData(lenient: scanResponse ?? []).structures
        )
    }

    /// The name that the peer gave when it was asked, else the one that it advertises.
    var name: String? { givenName ?? advertisingData.localName }

    /// Adds what was heard. True if there is nothing more to wait for before an app hears of it: the peer answers no
    /// scan requests, has answered, or has let one chance pass.
    mutating func absorb(_ report: AdvertisingReport) -> Bool {
        strength = report.signalStrength ?? strength
        guard report.kind != .scanResponse else {
            scanResponse = report.data
            unanswered = 0
            return true
        }
        advertisement = report.data
        isConnectable = report.isConnectable
        if !report.isScannable { scanResponse = nil }
        unanswered += 1
        return !report.isScannable || scanResponse != nil || unanswered > 1
    }
}

extension KnownPeer {
    /// The services that were found, else those that are advertised.
    var services: [BluetoothUUID] {
        attributes.hasServices ? attributes.primaryServices.map(\.uuid) : advertisingData.serviceUUIDs
    }
}
