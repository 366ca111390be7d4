public import CoreBluetooth

/// A simulated peripheral: what it advertises, which services it has, and where it is.
///
/// `CBMCentralManagerMock.simulatePeripherals` puts it on the air as a device with a controller and a host. One
/// specification may be in several simulations at once, one for each test: what `simulate…` changes, it changes in the
/// simulation of the current task, and that is what the properties say there.
public class CBMPeripheralSpec: @unchecked Sendable {
    /// What of a specification changes in a simulation.
    struct State {
        var identifier: UUID
        var name: String?
        var proximity: CBMProximity
        var isKnown: Bool
        var advertisement: [CBMAdvertisementConfig]?
        var services: [CBMServiceMock]?
        /// Whether a central is connected, as what was simulated has it: packets follow. Nil if the air has the answer.
        var saidConnected: Bool?
        /// Whether it has taken a connection: the phone knows its name from then on, whichever app it was for.
        var wasConnected = false
    }

    /// Under which number it takes L2CAP channels, and from whom.
    struct ChannelPublication {
        let psm: CBML2CAPPSM
        let security: CBMSecurity
    }

    /// As it was built.
    let beginning: State
    /// Whether another app of the phone is connected to it from the beginning.
    let isInitiallyConnected: Bool

    /// In seconds, 7.5 ms to 4 s: the interval that the device asks for on each connection. Nil if it takes none.
    public let connectionInterval: TimeInterval?
    /// The longest ATT packet that the device takes and offers, 23 to 517 bytes. Nil if it takes no connections.
    public let mtu: Int?
    /// In seconds, 0.1 to 32: the supervision timeout that the device asks for on each connection. Nil if it takes none.
    public let supervisionTimeout: TimeInterval?
    /// Answers requests. Without one the device takes no connections.
    public let connectionDelegate: (any CBMPeripheralSpecDelegate)?
    /// How it pairs.
    public let pairing: CBMPairing
    let channels: [ChannelPublication]

    private init(
        _ beginning: State,
        isInitiallyConnected: Bool,
        connectionInterval: TimeInterval?,
        supervisionTimeout: TimeInterval?,
        mtu: Int?,
        connectionDelegate: (any CBMPeripheralSpecDelegate)?,
        pairing: CBMPairing,
        channels: [ChannelPublication]
    ) {
        self.beginning = beginning
        self.isInitiallyConnected = isInitiallyConnected
        self.connectionInterval = connectionInterval
        self.supervisionTimeout = supervisionTimeout
        self.mtu = mtu
        self.connectionDelegate = connectionDelegate
        self.pairing = pairing
        self.channels = channels
    }

    // MARK: What it is like now

    private var state: State { MockSimulation.existing?.state(of: self) ?? beginning }

    /// Under which identifier apps know the peripheral.
    public var identifier: UUID { state.identifier }
    /// The Device Name of its Generic Access service.
    public var name: String? { state.name }
    /// How far it is from the phone.
    public var proximity: CBMProximity { state.proximity }
    /// Whether it can be retrieved by its identifier: the phone has met it before, or a manager has heard it.
    public var isKnown: Bool { state.isKnown }
    /// What it advertises; nil advertises nothing.
    public var advertisement: [CBMAdvertisementConfig]? { state.advertisement }
    /// Its services besides Generic Access and Generic Attribute, which every device has. Nil if it takes no connections.
    public var services: [CBMServiceMock]? { state.services }
    /// Whether a central is connected, for this app or another one. What is simulated counts at once; packets follow.
    public var isConnected: Bool { MockSimulation.existing?.isConnected(self) ?? isInitiallyConnected }

    /// Whether the phone has a bond with it, so that their next connection is encrypted without pairing.
    public var isBonded: Bool { MockSimulation.existing?.isBonded(self) ?? false }
    /// The L2CAP channels that apps have open to it, in the order in which they were opened.
    public var l2capChannels: [CBML2CAPChannelMock] { MockSimulation.existing?.channels(of: self) ?? [] }

    // MARK: How it is made

    /// - Parameters:
    ///   - identifier: under which identifier apps know it.
    ///   - proximity: how far it is from the phone.
    public static func simulatePeripheral(
        identifier: UUID = UUID(),
        proximity: CBMProximity = .immediate
    ) -> Builder { Builder(identifier: identifier, proximity: proximity) }

    /// Describes a peripheral step by step.
    public class Builder {
        private var state: State
        private var isInitiallyConnected = false
        private var connectionInterval: TimeInterval?
        private var supervisionTimeout: TimeInterval?
        private var mtu: Int?
        private var delegate: (any CBMPeripheralSpecDelegate)?
        private var pairing = CBMPairing.justWorks
        private var channels: [ChannelPublication] = []

        fileprivate init(identifier: UUID, proximity: CBMProximity) {
            state = State(identifier: identifier, proximity: proximity, isKnown: false)
        }

        /// Adds something that it advertises.
        ///
        /// - Parameters:
        ///   - advertisementData: with the keys of CoreBluetooth; see `CBMAdvertisementConfig.data`.
        ///   - interval: in seconds; with 0 it is sent once, after `delay`, which is to be more than 0 then.
        ///   - delay: after so many seconds it is sent for the first time.
        ///   - advertisingWhenConnected: whether it is also sent while a central is connected.
        public func advertising(
            advertisementData: [String: Any],
            withInterval interval: TimeInterval = 0.100,
            delay: TimeInterval = 0.0,
            alsoWhenConnected advertisingWhenConnected: Bool = false
        ) -> Builder {
            let config = CBMAdvertisementConfig(
                data: advertisementData,
                interval: interval,
                delay: delay,
                isAdvertisingWhenConnected: advertisingWhenConnected
            )
            state.advertisement = (state.advertisement ?? []) + [config]
            return self
        }

        /// It takes connections.
        ///
        /// - Parameters:
        ///   - name: the Device Name of its Generic Access service, at most 248 bytes.
        ///   - services: its services, in the order of their handles.
        ///   - delegate: answers requests; without one no connection is made.
        ///   - connectionInterval: in seconds, 7.5 ms to 4 s.
        ///   - supervisionTimeout: in seconds, 0.1 to 32.
        ///   - mtu: the longest ATT packet, 23 to 517 bytes.
        public func connectable(
            name: String,
            services: [CBMServiceMock],
            delegate: (any CBMPeripheralSpecDelegate)?,
            connectionInterval: TimeInterval = 0.045,
            supervisionTimeout: TimeInterval = 4.0,
            mtu: Int = 23
        ) -> Builder {
            state.name = name
            state.services = services
            self.delegate = delegate
            self.connectionInterval = connectionInterval
            self.supervisionTimeout = supervisionTimeout
            self.mtu = min(max(mtu, 23), 517)
            return self
        }

        /// The same, and another app of the phone connects to it as soon as Bluetooth is on, if it is in range.
        public func connected(
            name: String,
            services: [CBMServiceMock],
            delegate: (any CBMPeripheralSpecDelegate)?,
            connectionInterval: TimeInterval = 0.045,
            supervisionTimeout: TimeInterval = 4.0,
            mtu: Int = 23
        ) -> Builder {
            isInitiallyConnected = state.proximity != .outOfRange
            state.saidConnected = delegate != nil && isInitiallyConnected ? true : nil
            state.isKnown = true
            return connectable(
                name: name,
                services: services,
                delegate: delegate,
                connectionInterval: connectionInterval,
                supervisionTimeout: supervisionTimeout,
                mtu: mtu
            )
        }

        /// The phone has met it before, so that it can be retrieved without a scan.
        public func allowForRetrieval() -> Builder {
            state.isKnown = true
            return self
        }

        /// How it pairs with a phone: without digits, unless this is called. It pairs when an app wants something that needs
        /// `CBMSecurity`. Not in the original.
        public func pairing(_ pairing: CBMPairing) -> Builder {
            self.pairing = pairing
            return self
        }

        /// It takes L2CAP channels under a PSM; the delegate gets each that an app has opened. Not in the original.
        ///
        /// - Parameters:
        ///   - psm: 0x0001 to 0x00FF; of those, 0x0080 and above are for devices to choose. Another one is not published, and
        ///     the log says so.
        ///   - security: what the link must be like.
        public func l2capChannel(psm: CBML2CAPPSM, security: CBMSecurity = .none) -> Builder {
            channels.append(ChannelPublication(psm: psm, security: security))
            return self
        }

        public func build() -> CBMPeripheralSpec {
            CBMPeripheralSpec(
                state,
                isInitiallyConnected: isInitiallyConnected,
                connectionInterval: connectionInterval,
                supervisionTimeout: supervisionTimeout,
                mtu: mtu,
                connectionDelegate: delegate,
                pairing: pairing,
                channels: channels
            )
        }
    }
}

extension CBMPeripheralSpec: Equatable {
    /// Two specifications are equal if their identifiers are.
    public static func == (lhs: CBMPeripheralSpec, rhs: CBMPeripheralSpec) -> Bool { lhs.identifier == rhs.identifier }
}
