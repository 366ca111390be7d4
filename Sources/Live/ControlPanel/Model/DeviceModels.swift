/// The world as a whole.
struct WorldView: Described, Hashable {
    static let schemaName = "World"

    @Property("Seconds since the world began.") var time = 0.0
    @Property("Whether time passes only when it is told to, by /api/world/advance.") var isVirtual = false
    @Property("What the world's randomness began with.") var seed = ""
    /// Nil where there are none.
    @Property("The views that the panel has here besides the usual ones.") var parts: [PartView]? = nil
}

/// A view that a command has brought along.
struct PartView: Described, Hashable {
    static let schemaName = "Part"

    @Property("Its topic of events, and what follows /api/ in its paths.") var name = ""
    @Property("For people.") var title = ""
}

struct Advance: Described {
    static let schemaName = "Advance"

    @Property("How much time passes.", 0...86_400) var seconds = 0.0
    /// Nil is 0.
    @Property(
        """
        Real time for hosts at the HCI port, in seconds: whenever one of them has been sent a packet, virtual time stands \
        still until no packet has come or gone for so long. With 0, as if it is left out, time does not wait for them.
        """,
        0...10
    )
    var hostSeconds: Double? = nil
}

/// All devices in a world.
struct DeviceList: Described, Hashable {
    static let schemaName = "DeviceList"

    @Property var devices: [DeviceView] = []
}

/// A device as the map shows it.
struct DeviceView: Described, Hashable {
    static let schemaName = "Device"

    @Property("Its number, for paths.") var device = 0
    @Property var name = ""
    @Property(
        as: .choice(
            ["keyfob", "keyfob-phone", "central", "phone", "client", "device"],
            "A client's host is elsewhere."
        )
    )
    var kind = ""
    @Property("Where it is, in metres.") var x = 0.0
    @Property("Where it is, in metres.") var y = 0.0
    @Property("How far away a receiver can be to hear it, in metres.") var range: Double? = nil
    @Property("The devices that it has connections with.") var links: [Int] = []
}

/// Where a device shall be; what is left out stays.
struct Move: Described {
    static let schemaName = "Move"

    @Property("In metres.", -2_000_000...2_000_000) var x: Double? = nil
    @Property("In metres.", -2_000_000...2_000_000) var y: Double? = nil
}

struct NewDevice: Described {
    static let schemaName = "NewDevice"

    @Property(as: .choice(["keyfob", "keyfob-phone"], "TI's hardware, or the simulator on a phone.")) var kind = ""
    @Property("At most 64 characters.") var name: String? = nil
    @Property("In metres; 1 if left out.") var x: Double? = nil
    @Property("In metres; 0 if left out.") var y: Double? = nil
}
