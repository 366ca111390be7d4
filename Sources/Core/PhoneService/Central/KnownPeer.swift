import BluethroatBluetoothValues
import BluethroatHost
import BluethroatVirtualTime

typealias PeerIndex = TableIndex<KnownPeer>

/// What a phone knows of one peer, for all its apps.
struct KnownPeer {
    /// How to call it: its identity if it is bonded, else the address on the air.
    var address: DeviceAddress
    /// The name from its Generic Access service.
    var givenName: String?
    /// The latest advertisement and the latest scan response.
    private(set) var advertisement: [UInt8] = []
    private(set) var scanResponse: [UInt8]?
    /// What both of them say.
    private(set) var heard = HeardAdvertisement()
    var isConnectable = false
    var strength: SignalStrength?
    /// Advertisements that may be answered, since the last scan response.
    var unanswered = 0
    /// Zero if it was never heard.
    private(set) var lastHeard = Instant.zero
    /// Whether it has shown its identity under another address, by which it is known, too.
    var hasIdentity = false
    /// What was found in it, as far as it may be kept.
    var attributes = AttributeCache()

    init(address: DeviceAddress) { self.address = address }

    /// The name that the peer gave when it was asked, else the one that it advertises.
    var name: String? { givenName ?? heard.localName }

    /// Adds what was heard. True if there is nothing more to wait for before an app hears of it: the peer answers no
    /// scan requests, has answered, or has let one chance pass.
    mutating func absorb(_ report: AdvertisingReport, at now: Instant) -> Bool {
        strength = report.signalStrength ?? strength
        lastHeard = now
        guard report.kind != .scanResponse else {
            keep(advertisement, report.data)
            unanswered = 0
            return true
        }
        keep(report.data, report.isScannable ? scanResponse : nil)
        isConnectable = report.isConnectable
        if report.isScannable { unanswered += 1 }
        return !report.isScannable || scanResponse != nil || unanswered > 1
    }

    private mutating func keep(_ advertisement: [UInt8], _ scanResponse: [UInt8]?) {
        guard advertisement != self.advertisement || scanResponse != self.scanResponse else { return }
        self.advertisement = advertisement
        self.scanResponse = scanResponse
        heard = HeardAdvertisement(advertisement, scanResponse)
    }
}

extension KnownPeer {
    /// The services that were found, else those that are advertised.
    var services: [BluetoothUUID] {
        attributes.hasServices ? attributes.primaryServices.map(\.uuid) : heard.data.serviceUUIDs
    }
}
