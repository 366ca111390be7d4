/// Everything that can be seen of a phone from outside of its apps.
struct PhoneView: Described, Hashable {
    struct App: Described, Hashable {
        var app: Int
        var name: String
        var state: String

        static let schema = Schema.object(
            named: "PhoneApp",
            [
                "app": .integer("Its number, for paths."), "name": .string(),
                "state": .choice(
                    ["not-running", "foreground", "background", "suspended", "terminated", "force-quit"],
                    "Terminated by the system, force-quit by its person."
                ),
            ]
        )
    }

    struct Link: Described, Hashable {
        var peer: String
        var isCentral: Bool
        var interval: Double
        var isEncrypted: Bool

        static let schema = Schema.object(
            named: "PhoneLink",
            [
                "peer": .string("Its address."), "isCentral": .boolean("Whether the phone has made the connection."),
                "interval": .number("In milliseconds."), "isEncrypted": .boolean(),
            ]
        )
    }

    var device: Int
    var name: String
    var address: String?
    var x: Double
    var y: Double
    var isPowered: Bool
    var isScreenOn: Bool
    var apps: [App]
    var links: [Link]

    static let schema = Schema.object(
        named: "Phone",
        [
            "device": .integer("Its number, for paths."), "name": .string(), "address": .string(),
            "x": .number("In metres."), "y": .number("In metres."), "isPowered": .boolean("Whether Bluetooth is on."),
            "isScreenOn": .boolean("Whether the screen is lit."), "apps": .array(App.schema),
            "links": .array(Link.schema, "Its connections."),
        ],
        optional: ["address"]
    )
}

/// Where somebody wants an app to be.
struct AppWish: Described {
    var state: String

    static let schema = Schema.object(
        named: "AppWish",
        [
            "state": .choice(
                ["foreground", "background", "suspended", "terminated", "force-quit"],
                "An app that does not run is launched first."
            )
        ]
    )
}
