import BluetoothValues
import Host

/// What the service keeps for the peripheral managers of its phone.
struct PeripheralSide {
    /// A characteristic of an app, and where it is.
    struct Place: Hashable {
        var session: SessionID
        var characteristic: LocalCharacteristicID
    }

    /// A service of an app that stands in the database.
    struct Published {
        var session: SessionID
        var service: LocalService
        var handles: ServiceHandles
    }

    /// A peer that is connected: as a client of this phone's server, whoever of the two is the central.
    struct Client {
        var connection: ConnectionID
        /// The peer's identity where it is known, else its address.
        var peer: DeviceAddress
        /// The managers that have been told of it.
        var knownTo: [SessionID] = []
        /// The values that it has subscribed to.
        var subscriptions: [AttributeHandle] = []
        /// What apps wish for that is not granted yet.
        var pace: Pace?
        /// Whether a wish was granted that has not come true yet.
        var awaitsChange = false
    }

    /// How fast a connection should be.
    struct Pace {
        var range: ConnectionParameterRange
        /// Whether the peer has been asked for it.
        var isAsked = false
    }

    /// A request of a client that apps have to answer: one, unless it writes to several of them at once.
    struct Request {
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
        }
    }

    /// A value that has still to go to some clients.
    struct Update {
        var session: SessionID
        var handle: AttributeHandle
        var value: [UInt8]
        var waiting: [ConnectionID]
    }

    /// What one app advertises.
    struct Advertisement {
        var session: SessionID
        var request: AdvertisementRequest
        /// Whether the app has been told that it is on the air.
        var isAnnounced = false
    }

    /// In the order in which they were published.
    var published: [Published] = []
    /// The value of each characteristic of an app. Never gone through, only asked.
    var handles: [Place: AttributeHandle] = [:]
    var places: [AttributeHandle: Place] = [:]
    var clients: [Client] = []
    /// In the order in which they came.
    var requests: [Request] = []
    var requestCount: UInt32 = 0
    /// In the order in which they are to go.
    var updates: [Update] = []
    /// In the order in which they began.
    var advertisements: [Advertisement] = []
    /// What the controller advertises or is just being told to; nil if it does not.
    var onAir: AdvertisementLayout?

    func index(of connection: ConnectionID) -> Int? { clients.firstIndex { $0.connection == connection } }
}
