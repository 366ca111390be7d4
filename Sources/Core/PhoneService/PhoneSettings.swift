public import BluethroatBluetoothValues
public import BluethroatHost
public import BluethroatVirtualTime

/// What a phone is like, as far as its Bluetooth service is concerned.
public struct PhoneSettings: Hashable, Sendable {
    /// What kind of device it is. `PhoneSettings.iPhone`, `.watch` and `.television` have the intervals that go with it.
    public var kind = PhoneKind.phone
    /// The interval of the connections that the phone makes, as central, 7.5 ms to 4 s; on a watch and a television not
    /// less than 30 ms. Nil lets the controller choose from 30 to 50 ms, ours 30 ms; a peripheral may ask for another.
    public var connectionInterval: ConnectionInterval?
    /// What the phone is called: the Device Name of its Generic Access service, at most 248 bytes.
    public var name = "Phone"
    /// Its Appearance, from the Assigned Numbers, 2.6; 64 is a generic phone.
    public var appearance: UInt16 = 64
    /// How many updates of one peripheral manager may wait for the radio before `updateValue` says no.
    public var updateWindow = 16
    /// Whether apps may publish the services that iOS keeps for itself, such as Battery and Device Information, in
    /// their short form. Generic Access and Generic Attribute are always the phone's own.
    public var allowsReservedServices = false
    /// Whether clients can read the phone's name. Where they cannot, as on iOS 6, the answer is "unlikely error".
    public var nameIsReadable = true
    /// Whether what clients write without response reaches apps. On iOS 6 it did not.
    public var deliversWritesWithoutResponse = true
    /// How often an app in the foreground advertises; nil is 152.5 ms, one of the intervals that Apple recommends.
    public var advertisingInterval: AdvertisingInterval?

    /// How often all apps in the background advertise; nil is 1022.5 ms, the one of Apple's intervals nearest to a second.
    public var backgroundAdvertisingInterval: AdvertisingInterval?
    /// How the phone scans if no app that scans is in the foreground; nil is 30 ms out of every 300.
    public var backgroundScanTiming: ScanTiming?
    /// The major version of iOS that the phone behaves like. Up to 13, an app in the background may change what it
    /// advertises; from 14 on, the change is on the air when the app is in the foreground again.
    public var systemVersion = 18

    /// How long an app that has left the foreground runs before it is suspended.
    public var suspensionDelay = TimeSpan.seconds(5)
    /// How long an app that something has happened for runs in the background.
    public var wakeLength = TimeSpan.seconds(10)
    /// How long after its launch an app may take to make its managers again; then what was kept for them is given up.
    public var restorationTime = TimeSpan.seconds(10)
    /// Whether an app is ended when its person changes what it may do with Bluetooth, as iOS does for other kinds of
    /// permission. Otherwise its managers hear of it.
    public var endsAppsOnAuthorizationChange = false

    /// How many writes without response one app may have under way on a connection before it has to wait.
    public var writeWindow = 16
    /// When apps hear that they can write without response again.
    public var writeReadiness = WriteReadiness.whenDrained
    /// How many bytes an app may have waiting on an L2CAP channel, on top of the few thousand that the host has queued
    /// for the radio, before its output stream has no space.
    public var channelSendBuffer = 32_768
    /// How many bytes of a channel's peer may wait for the app to read them, in frames of 1502 bytes; then the peer has
    /// to wait.
    public var channelReceiveBuffer = 32_000
    /// Whether apps, as centrals, are kept from the services that iOS uses itself: Generic Access, Generic Attribute,
    /// Human Interface Device and Apple Notification Center. Otherwise they find all that a peripheral has.
    public var hidesSystemServices = true
    /// Whether an app that wants duplicates hears of an advertisement and its scan response at once, when the response has come
    /// or one has been missed. Otherwise it hears of each, as on Apple's systems.
    public var joinsScanResponses = false
    /// The longest ATT packet that the phone takes and offers, 23 to 517 bytes; the peer's may be shorter. A write without
    /// response and a notification have three bytes less: 20 at 23, 182 at 185, which iPhones have to many peripherals.
    public var maximumMTU = 517
    /// The longest Link Layer packet, in bytes of payload, 27 to 251: of a controller on the world's own air.
    public var maximumDataLength = 251
    /// How many packets of the host the controller holds, on all connections together, 1 to 255: of one on the world's own
    /// air. A phone with this or one of the two sizes above out of its range stops the process.
    public var controllerBuffers = 12
    /// Whether the phone, as central, asks for LE 2M on each connection to a peer that has it.
    public var asksForLE2M = true
    /// How many peers the phone remembers that it has heard, besides those that it is connected to or bonded with, and those that
    /// an app waits for. For one more it forgets one that was not heard lately.
    public var knownPeers = 65_536
    /// What the phone's person types where a peer shows six digits; nil refuses.
    public var passkey: Passkey?
    /// Whether a peer with the address of a bonded device, and without its key, may replace the bond by pairing, where the
    /// phone's person is not asked. Nil is true for a phone in virtual time, as in tests, and false for one in real time.
    public var replacesBonds: Bool?
    /// What the identifiers follow from under which apps know peers, besides the app and the peer: a number that no other
    /// phone has. Nil is the phone's address.
    public var identifierNumber: UInt64?
    /// Seconds from 1 January 2001 to the instant zero, for times that apps get in such seconds.
    public var startOfTime = 0.0

    public init() {}
}

extension PhoneSettings {
    /// An iPhone from iOS 11 on, or a Mac: connections that it makes have an interval of 15 ms.
    ///
    /// Apple, WWDC 2017, session 712. An iPhone 4 was seen to ask for 37.5 ms.
    public static var iPhone: PhoneSettings {
        var settings = PhoneSettings()
        settings.connectionInterval = ConnectionInterval(steps: 12)
        return settings
    }

    /// An Apple Watch from watchOS 4 on: as central only, two connections of 30 ms or more, until the app is suspended.
    public static var watch: PhoneSettings { PhoneSettings(kind: .watch, name: "Watch") }

    /// An Apple TV from tvOS 9 on: as central only, two connections of 30 ms or more, until the app leaves the screen.
    public static var television: PhoneSettings { PhoneSettings(kind: .television, name: "TV") }

    private init(kind: PhoneKind, name: String) {
        self.kind = kind
        self.name = name
        connectionInterval = kind.shortestInterval
    }

    /// What the phone asks its controller for, for the connections that it makes.
    var connectionRange: ConnectionParameterRange {
        let usual = ConnectionParameterRange.usual
        guard let wanted = connectionInterval ?? kind.shortestInterval else { return usual }
        let interval = max(wanted, kind.shortestInterval ?? wanted)
        func range(_ timeout: SupervisionTimeout?) -> ConnectionParameterRange? {
            ConnectionParameterRange(
                minimumInterval: interval,
                maximumInterval: interval,
                latency: usual.latency,
                supervisionTimeout: timeout ?? usual.supervisionTimeout
            )
        }
        // 5 s are too short for intervals of 2.5 s and more; the longest there is does for all.
        return range(usual.supervisionTimeout) ?? range(SupervisionTimeout(steps: 3_200)) ?? usual
    }
}
