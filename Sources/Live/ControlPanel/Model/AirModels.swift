/// Packets on the air, the oldest first.
struct PacketList: Described, Hashable {
    var time: Double
    var skipped: Int
    var first: Int
    var last: Int
    var packets: [PacketView]

    static let schema = Schema.object(
        named: "PacketList",
        [
            "time": .number("Now, in seconds."),
            "skipped": .integer("How many there were besides, that were left out."),
            "first": .integer("The number of the oldest packet that is kept; one more than the last if there is none."),
            "last": .integer("The number of the latest packet, which may still be on the air; 0 before there is one."),
            "packets": .array(PacketView.schema),
        ]
    )
}

struct PacketView: Described, Hashable {
    var number: Int
    var time: Double
    var length: Double
    var channel: Int
    var device: Int
    var access: Int
    var kind: String
    var text: String
    var collided: Bool
    var damaged: Bool
    var lost: Bool
    var encrypted: Bool

    static let schema = Schema.object(
        named: "Packet",
        [
            "number": .integer(), "time": .number("When its preamble began, in seconds."),
            "length": .number("In seconds."),
            "channel": .integer(nil, 0...39), "device": .integer("Who sent it."),
            "access": .integer("The access address."),
            "kind": .choice(["advertising", "scan", "connect", "data", "control", "empty"]),
            "text": .string("In one line."),
            "collided": .boolean("Another was on the same channel at the same time."),
            "damaged": .boolean("Somebody who listened got something else."),
            "lost": .boolean("It belongs to a connection, and nobody got it as it was sent."),
            "encrypted": .boolean("Its payload is encrypted, and ends with a MIC."),
        ]
    )
}

/// A packet with everything that is known of it.
struct PacketDetail: Described, Hashable {
    /// A field, or a part with fields in it.
    struct Field: Described, Hashable {
        var name: String
        var value: String?
        var fields: [Field]

        static let schema = Schema.object(
            named: "PacketField",
            ["name": .string(), "value": .string(), "fields": .array(.anything("Of the same type."))],
            optional: ["value"]
        )
    }

    var number: Int
    var time: Double
    var length: Double
    var channel: Int
    var phy: String
    var power: Int
    var device: Int
    var access: Int
    var isData: Bool
    var text: String
    var receivers: [Int]
    var damagedReceivers: [Int]
    var collided: Bool
    var lost: Bool
    var encrypted: Bool
    var fields: [Field]
    var bytes: String

    static let schema = Schema.object(
        named: "PacketDetail",
        [
            "number": .integer(), "time": .number("In seconds."), "length": .number("In seconds."),
            "channel": .integer(nil, 0...39), "phy": .string(), "power": .integer("In dBm."), "device": .integer(),
            "access": .integer(), "isData": .boolean("Whether it belongs to a connection."), "text": .string(),
            "receivers": .array(.integer()), "damagedReceivers": .array(.integer()), "collided": .boolean(),
            "lost": .boolean("It belongs to a connection, and nobody got it as it was sent."),
            "encrypted": .boolean("Its payload is encrypted, and ends with a MIC."),
            "fields": .array(Field.schema), "bytes": .string("Access address to CRC, hexadecimal digits."),
        ]
    )
}
