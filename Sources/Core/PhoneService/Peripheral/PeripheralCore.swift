import BluethroatBluetoothValues
import BluethroatHost

/// What a phone does for the peripheral managers of its apps. `PeripheralRole` is the way in.
struct PeripheralCore {
    private let shared: SharedPhoneSettings
    /// In the order in which they were published.
    var published: [PublishedService] = []
    /// The value of each characteristic of an app. Never gone through, only asked.
    var handles: [CharacteristicOwner: AttributeHandle] = [:]
    var owners: [AttributeHandle: CharacteristicOwner] = [:]
    var clients = Table<ServerClient>()
    /// In the order in which they came.
    var requests: [ServerRequest] = []
    var requestCount: UInt32 = 0
    /// Requests that were answered for an app, or whose client is gone: the app may not know yet. In the order in which that
    /// happened, and not for ever.
    var lapsed: [ServerRequest.Part] = []
    /// In the order in which they are to go.
    var updates: [ValueUpdate] = []
    /// In the order in which they began.
    var advertisements: [AppAdvertisement] = []
    /// From iOS 14 on: what a session advertised when its app left the foreground, or first off the screen. Never gone
    /// through.
    var frozen: [SessionID: AdvertisementRequest] = [:]
    /// What the controller advertises or has just been asked to; nil if it does not.
    var onAir: AdvertisementLayout?

    init(_ shared: SharedPhoneSettings) { self.shared = shared }

    var settings: PhoneSettings { shared.settings }
    /// The services that the phone has by itself.
    var ownServices: GATTDatabase { shared.ownServices }

    func client(_ connection: ConnectionID) -> ServerClientIndex? {
        clients.firstIndex { $0.connection == connection }
    }
}

/// The place of a client among those of the phone's server.
typealias ServerClientIndex = TableIndex<ServerClient>

/// A characteristic of an app.
struct CharacteristicOwner: Hashable {
    var session: SessionID
    var characteristic: LocalCharacteristicID
}

/// A service of an app that stands in the database.
struct PublishedService {
    var session: SessionID
    var service: LocalService
    var handles: ServiceHandles
}

/// A peer that is connected: as a client of this phone's server, whichever of the two is the central.
struct ServerClient {
    var connection: ConnectionID
    /// The peer's identity where it is known, else its address.
    var peer: DeviceAddress
    /// The managers that know of it.
    var knownTo: [SessionID] = []
    /// The values that it has subscribed to.
    var subscriptions: [AttributeHandle] = []
    /// The connection parameters that apps want and that were not granted yet.
    var wanted: WantedParameters?
    /// Whether parameters were granted that are not in use yet.
    var awaitsChange = false

    /// Connection parameters that an app wants.
    struct WantedParameters {
        var range: ConnectionParameterRange
        /// Whether the peer has been asked for them.
        var isRequested = false
    }
}

/// A request of a client that apps have to answer: one app, unless it writes to values of several at once.
struct ServerRequest {
    var id: RequestID
    var kind: Kind
    /// Those who have not answered yet.
    var waiting: [Part]
    var answer = RequestAnswer.written

    enum Kind {
        case read
        case write
    }

    /// One app's share of it.
    struct Part {
        var session: SessionID
        var id: LocalRequestID
        var characteristics: [LocalCharacteristicID]
    }
}

/// A value that has still to go to some clients.
struct ValueUpdate {
    var session: SessionID
    var handle: AttributeHandle
    var value: [UInt8]
    var waiting: [ConnectionID]
}

/// What one app advertises.
struct AppAdvertisement {
    var session: SessionID
    var request: AdvertisementRequest
    /// Whether the app has heard that it is on the air.
    var isAnnounced = false
}
