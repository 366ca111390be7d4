/// What a peripheral manager hears.
public enum PeripheralEvent: Sendable {
    case serviceAdded(LocalServiceID, ServiceFault?)
    case advertisingStarted(ServiceFault?)
    case subscribed(SubscribedCentral, LocalCharacteristicID)
    case unsubscribed(PeerID, LocalCharacteristicID)
    /// A central can now take updates of another length.
    case limitsChanged(SubscribedCentral)
    case readRequested(LocalRequestID, SubscribedCentral, LocalCharacteristicID, offset: Int)
    /// A write, or several that belong together; they are answered once.
    case writesRequested(LocalRequestID, SubscribedCentral, [LocalWrite])
    /// So many updates may be on their way at once; comes before the first state.
    case updateWindow(Int)
    /// So many updates have left the window.
    case updatesSent(Int)
    case channelPublished(psm: UInt16, ServiceFault?)
    case channelUnpublished(psm: UInt16, ServiceFault?)
    /// A central has opened a channel to a service that the manager has published.
    case channelOpened(OpenChannel, SubscribedCentral)
    /// Comes before the first state if the app was terminated and had asked to be restored.
    case restored(PeripheralRestoration)
}

/// A central as an app that serves it knows it.
public struct SubscribedCentral: Hashable, Sendable {
    public var id: PeerID
    /// Bytes in a notification: the ATT MTU less three.
    public var maximumUpdateLength: Int

    public init(id: PeerID, maximumUpdateLength: Int = 20) {
        self.id = id
        self.maximumUpdateLength = maximumUpdateLength
    }
}

/// A value, or a part of one, that a central wants written.
public struct LocalWrite: Hashable, Sendable {
    public var characteristic: LocalCharacteristicID
    public var offset: Int
    public var value: [UInt8]

    public init(characteristic: LocalCharacteristicID, offset: Int = 0, value: [UInt8]) {
        self.characteristic = characteristic
        self.offset = offset
        self.value = value
    }
}

/// What the phone kept for a peripheral while its app did not run.
public struct PeripheralRestoration: Sendable {
    /// The services in the order in which they were published, under the names that they had.
    public var services: [LocalService]
    public var subscriptions: [Subscriber]
    public var advertisement: AdvertisementRequest?

    /// A central and what it wants to be sent.
    public struct Subscriber: Hashable, Sendable {
        public var central: SubscribedCentral
        public var characteristic: LocalCharacteristicID

        public init(central: SubscribedCentral, characteristic: LocalCharacteristicID) {
            self.central = central
            self.characteristic = characteristic
        }
    }

    public init(
        services: [LocalService] = [],
        subscriptions: [Subscriber] = [],
        advertisement: AdvertisementRequest? = nil
    ) {
        self.services = services
        self.subscriptions = subscriptions
        self.advertisement = advertisement
    }
}
