internal import BluethroatBluetoothValues
internal import BluethroatPhoneService

/// What an app sees of a peripheral.
struct PeripheralView: Sendable {
    var name: String?
    var state = CBPeripheralState.disconnected
    /// The connection, while there is one.
    var link: LinkID?
    var limits = LinkLimits(writeWindow: 0)
    var services: [CBService]?
    var signalStrength: SignalStrength?
    var ancsAuthorized = false
    /// Nil while nothing was found: apps in a crowd see a new peripheral with each advertisement.
    private var foundPlaces: AttributePlaces?

    /// Where the attributes of this connection are, for what comes in about them.
    var places: AttributePlaces {
        get { foundPlaces ?? AttributePlaces() }
        _modify {
            if foundPlaces == nil { foundPlaces = AttributePlaces() }
            yield &foundPlaces!
        }
    }

    init(name: String?) { self.name = name }

    /// A connection has begun.
    mutating func connect(_ link: LinkID, _ limits: LinkLimits) {
        state = .connected
        self.link = link
        self.limits = limits
        services = nil
        foundPlaces = nil
    }

    /// There is no connection; what was learned on it is no longer true.
    mutating func disconnect(isReconnecting: Bool) {
        state = isReconnecting ? .connecting : .disconnected
        link = nil
        limits = LinkLimits(writeWindow: 0)
        signalStrength = nil
        guard !isReconnecting else { return }
        services = nil
        foundPlaces = nil
    }
}

/// The attributes found on a connection, by their handles.
struct AttributePlaces: Sendable {
    var services: [AttributeHandle: CBService] = [:]
    var characteristics: [AttributeHandle: CBCharacteristic] = [:]
    var descriptors: [AttributeHandle: CBDescriptor] = [:]

    /// Whether an attribute was found on this connection, and is still there.
    func has(_ attribute: CBAttribute) -> Bool {
        guard let handle = attribute.place?.handle else { return false }
        return switch attribute {
        case is CBService: services[handle] === attribute
        case is CBCharacteristic: characteristics[handle] === attribute
        default: descriptors[handle] === attribute
        }
    }
}
