import BluethroatWorkbench

extension PhoneLook.App.Phase: SchemaValue {}

/// Everything that can be seen of a phone from outside of its apps.
struct PhoneView: Described, Hashable {
    static let schemaName = "Phone"

    struct App: Described, Hashable {
        static let schemaName = "PhoneApp"

        @Property("Its number, for paths.") var app = 0
        @Property var name = ""
        @Property("Terminated by the system, force-quit by its person.") var state = PhoneLook.App.Phase.notRunning
    }

    struct Link: Described, Hashable {
        static let schemaName = "PhoneLink"

        @Property("Its address.") var peer = ""
        @Property("Whether the phone has made the connection.") var isCentral = false
        @Property("In milliseconds.") var interval = 0.0
        @Property var isEncrypted = false
    }

    @Property("Its number, for paths.") var device = 0
    @Property var name = ""
    @Property var address: String? = nil
    @Property("In metres.") var x = 0.0
    @Property("In metres.") var y = 0.0
    @Property("Whether Bluetooth is on.") var isPowered = false
    @Property("Whether the screen is lit.") var isScreenOn = false
    @Property var apps: [App] = []
    @Property("Its connections.") var links: [Link] = []
}

/// Where somebody wants an app to be.
struct AppPlacement: Described {
    static let schemaName = "AppPlacement"

    @Property(
        as: .choice(
            ["foreground", "background", "suspended", "terminated", "force-quit"],
            "An app that does not run is launched first."
        )
    )
    var state = ""
}
