public import CoreBluetooth

/// A simulated central: another phone near by, with an app on it that does what the test says. To it the app under test, with its
/// `CBMPeripheralManager`, is a peripheral.
///
/// `CBMPeripheralManagerFactory.simulateCentrals` puts it on the air. What it is to do with values it does when it is connected
/// and has found them, in the order in which it was said. What became of it the properties say, and the delegate hears.
public final class CBMCentralSpec: @unchecked Sendable {
    /// What its phone is called.
    public let name: String
    /// How far it is from the phone under test.
    public let proximity: CBMProximity
    private let delegateReference = Locked<Weak<AnyObject>>(Weak())

    public init(
        name: String = "Central",
        proximity: CBMProximity = .immediate,
        delegate: (any CBMCentralSpecDelegate)? = nil
    ) {
        self.name = name
        self.proximity = proximity
        self.delegate = delegate
    }

    /// Hears what happens to it; called where the devices are, or in real time on a queue of its own.
    public var delegate: (any CBMCentralSpecDelegate)? {
        get { delegateReference.current.object as? any CBMCentralSpecDelegate }
        set { delegateReference.set(Weak(object: newValue as AnyObject?)) }
    }

    // MARK: What has happened to it

    private var record: SimulatedCentral.Record { MockSimulation.existing?.central(of: self)?.record ?? .init() }

    /// Whether it is connected to the phone under test, and has found all that is there.
    public var isConnected: Bool { record.isReady }
    /// The services that it has found, each with its characteristics.
    public var services: [CBMUUID: [CBMUUID]] { record.services }
    /// What it has heard from the phone under test since it began to scan, with the keys of CoreBluetooth.
    public var advertisements: [[String: Any]] { record.advertisements }
    /// The values of a characteristic that it has read, or was sent, in their order.
    public func values(of characteristic: CBMUUID) -> [Data] { record.values[characteristic] ?? [] }
    /// How many of its writes with response were taken.
    public var writeCount: Int { record.writeCount }
    /// What went wrong with what it was to do.
    public var errors: [any Error] { record.errors }
    /// The L2CAP channels that it has opened. Their streams are open, and are scheduled on no run loop.
    public var l2capChannels: [CBML2CAPChannel] { record.channels }

    // MARK: What it does

    /// It scans, for advertisements with one of these services or for all.
    public func simulateScan(forServices services: [CBMUUID]? = nil) { perform { $0.scan(services) } }

    /// It connects, as soon as the app under test advertises, and finds all services and characteristics.
    public func simulateConnection() { perform { $0.connect() } }

    /// It ends the connection, or the attempt.
    public func simulateDisconnection() { perform { $0.disconnect() } }

    /// It reads the value of a characteristic.
    public func simulateRead(of characteristic: CBMUUID) { perform { $0.add(.read(characteristic)) } }

    /// It writes the value of a characteristic.
    public func simulateWrite(
        _ data: Data,
        to characteristic: CBMUUID,
        type: CBMCharacteristicWriteType = .withResponse
    ) {
        perform { $0.add(.write(data, characteristic, type)) }
    }

    /// It subscribes to a characteristic, or has had enough of it.
    public func simulateSubscription(to characteristic: CBMUUID, isOn: Bool = true) {
        perform { $0.add(.subscribe(characteristic, isOn)) }
    }

    /// It opens an L2CAP channel.
    public func simulateL2CAPChannel(psm: CBML2CAPPSM) { perform { $0.add(.openChannel(psm)) } }

    private func perform(_ body: (SimulatedCentral) -> Void) {
        guard let central = MockSimulation.current.central(of: self) else {
            return MockLog.warn("\(name) is not on the air; CBMPeripheralManagerFactory.simulateCentrals puts it there")
        }
        body(central)
    }
}

/// Hears what happens to a simulated central. Every method can be left out.
public protocol CBMCentralSpecDelegate: AnyObject {
    /// It is connected, and has found all services and characteristics.
    func centralDidConnect(_ central: CBMCentralSpec)
    /// Its connection has ended; the error is nil if it wanted that.
    func central(_ central: CBMCentralSpec, didDisconnect error: (any Error)?)
    /// It has read a value, or was sent one.
    func central(_ central: CBMCentralSpec, didReceive value: Data, of characteristic: CBMUUID)
    /// A write was taken, or refused with an error.
    func central(_ central: CBMCentralSpec, didWrite characteristic: CBMUUID, error: (any Error)?)
    /// It has subscribed, or no longer is subscribed.
    func central(_ central: CBMCentralSpec, isSubscribed: Bool, to characteristic: CBMUUID, error: (any Error)?)
}

extension CBMCentralSpecDelegate {
    public func centralDidConnect(_ central: CBMCentralSpec) {}
    public func central(_ central: CBMCentralSpec, didDisconnect error: (any Error)?) {}
    public func central(_ central: CBMCentralSpec, didReceive value: Data, of characteristic: CBMUUID) {}
    public func central(_ central: CBMCentralSpec, didWrite characteristic: CBMUUID, error: (any Error)?) {}
    public func central(
        _ central: CBMCentralSpec,
        isSubscribed: Bool,
        to characteristic: CBMUUID,
        error: (any Error)?
    ) {}
}
