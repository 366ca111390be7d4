public import BluethroatBluetoothValues
import BluethroatVirtualTime

/// What a server remembers of a bonded client between connections. Core 6.0, Vol 3, Part G, 2.5.2 and 3.3.3.3.
public struct ClientRecord: Hashable, Sendable {
    /// What the client has subscribed to, by the handles of the values.
    public struct Entry: Hashable, Sendable {
        public var value: AttributeHandle
        public var subscription: Subscription

        public init(value: AttributeHandle, subscription: Subscription) {
            self.value = value
            self.subscription = subscription
        }
    }

    /// In the order of their handles.
    public var subscriptions: [Entry]
    /// The flags of Client Supported Features. Core 6.0, Vol 3, Part G, 7.2.
    public var features: UInt8
    /// The hash of the database that the client knew.
    public var databaseHash: [UInt8]

    public init(subscriptions: [Entry] = [], features: UInt8 = 0, databaseHash: [UInt8] = []) {
        self.subscriptions = subscriptions
        self.features = features
        self.databaseHash = databaseHash
    }
}

extension ATTLayer {
    func clientRecord(of link: borrowing HostLink) -> ClientRecord {
        let session = link.att.server
        var record = ClientRecord(features: session.clientFeatures)
        for attribute in server.database.attributes where attribute.role == .clientConfiguration {
            let subscription = session.subscription(slot: attribute.configurationSlot)
            guard !subscription.isEmpty, let value = attribute.configured else { continue }
            record.subscriptions.append(ClientRecord.Entry(value: value, subscription: subscription))
        }
        if session.caching == .aware { record.databaseHash = server.database.knownHash }
        return record
    }

    mutating func restore(
        _ record: ClientRecord,
        of link: inout HostLink,
        at now: Instant,
        into actions: inout ATTActions
    ) {
        link.att.server.clientFeatures |= record.features
        for entry in record.subscriptions {
            guard let row = server.database.index(of: entry.value) else { continue }
            let slot = server.database.attributes[row].configurationSlot
            guard !link.att.server.isConfigured(slot: slot) else { continue }
            link.att.server.subscribe(slot: slot, to: entry.subscription)
        }
        guard record.databaseHash != server.database.knownHash else { return }
        // The database has changed since, and where is not known any more.
        server.databaseChanged(.first ... .last, isNow: false, on: &link, at: now, into: &actions)
    }
}
