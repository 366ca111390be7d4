public import BluethroatHCITransports
public import BluethroatLiveWorld
public import BluethroatVirtualTime

/// What can be said of any live session, whatever devices are in it.
public struct LiveSessionSettings: Sendable {
    /// Where the radio of the first device is.
    public var radio: RadioPlace
    /// Whether the controller of a client that has gone vanishes in the middle of its connections, as a device without
    /// power. Otherwise it ends them first.
    public var clientsVanish = false
    /// What the world's randomness begins with; nil is another seed each time. Keys do not depend on it.
    public var seed: UInt64?
    /// What is recorded of the session.
    public var captures = CaptureFiles()
    /// Whether time passes only when the panel's API says so. Only for a radio on the world's own air.
    public var isVirtual = false
    /// After how much of the world's time the session ends, when what is under way is done; nil for never.
    public var length: TimeSpan?
    /// Whether virtual time passes by itself, as fast as it can be computed, from the beginning to the end: without a
    /// port, a controller, a panel, and words from outside. Such a session has a `length`, or its system ends it.
    public var isFast = false
    /// Where the control panel is served; nil for none.
    public var panel: PanelSettings? = PanelSettings()
    /// A command that would put a controller at the place where none is, for the sentence about that.
    public var opener = HCITransportError.usualOpener

    /// A session with its own air, at whose port 6402 of this machine hosts outside find controllers.
    public init(radio: RadioPlace = .air(listeningOn: .tcp(HostPort(host: "127.0.0.1", port: 6402)))) {
        self.radio = radio
    }

    /// A session on a controller elsewhere if one is named, else with a port at `place`, or at the usual one.
    public init(onController controller: HCIEndpoint?, orListeningOn place: HCIListeningPlace?) {
        self.init()
        if let controller {
            radio = .controller(controller)
        } else if let place {
            radio = .air(listeningOn: place)
        }
    }
}

/// Where the radio of the first device in a session is.
public enum RadioPlace: Sendable {
    /// On the world's own air, with a port at which hosts find controllers. Port 0 picks a free one.
    case air(listeningOn: HCIListeningPlace)
    /// A controller elsewhere.
    case controller(HCIEndpoint)
}
