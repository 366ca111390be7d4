/// Packets on the air, the oldest first.
struct PacketList: Described, Hashable {
    static let schemaName = "PacketList"

    @Property("Now, in seconds.") var time = 0.0
    @Property("How many there were besides, that were left out.") var skipped = 0
    @Property("The number of the oldest packet that is kept; one more than the last if there is none.") var first = 0
    @Property("The number of the latest packet, which may still be on the air; 0 before there is one.") var last = 0
    @Property var packets: [PacketView] = []
}

struct PacketView: Described, Hashable {
    static let schemaName = "Packet"

    enum Kind: String, CaseIterable, SchemaValue {
        case advertising, scan, connect, data, control, empty
    }

    @Property var number = 0
    @Property("When its preamble began, in seconds.") var time = 0.0
    @Property("In seconds.") var length = 0.0
    @Property(0...39) var channel = 0
    @Property("Who sent it.") var device = 0
    @Property("The access address.") var access = 0
    @Property var kind = Kind.data
    @Property("In one line.") var text = ""
    @Property("Another was on the same channel at the same time.") var collided = false
    @Property("Somebody who listened got something else.") var damaged = false
    @Property("It belongs to a connection, and nobody got it as it was sent.") var lost = false
    @Property("Its payload is encrypted, and ends with a MIC.") var encrypted = false
}

/// A packet with everything that is known of it.
struct PacketDetail: Described, Hashable {
    static let schemaName = "PacketDetail"

    /// A field, or a part with fields in it.
    struct Field: Described, Hashable {
        static let schemaName = "PacketField"

        @Property var name = ""
        @Property var value: String? = nil
        @Property(as: .array(.anything("Of the same type."))) var fields: [Field] = []
    }

    @Property var number = 0
    @Property("In seconds.") var time = 0.0
    @Property("In seconds.") var length = 0.0
    @Property(0...39) var channel = 0
    @Property var phy = ""
    @Property("In dBm.") var power = 0
    @Property var device = 0
    @Property var access = 0
    @Property("Whether it belongs to a connection.") var isData = false
    @Property var text = ""
    @Property var receivers: [Int] = []
    @Property var damagedReceivers: [Int] = []
    @Property var collided = false
    @Property("It belongs to a connection, and nobody got it as it was sent.") var lost = false
    @Property("Its payload is encrypted, and ends with a MIC.") var encrypted = false
    @Property var fields: [Field] = []
    @Property("Access address to CRC, hexadecimal digits.") var bytes = ""
}
