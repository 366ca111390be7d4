/// The devices that a study may have.
enum DeviceKind: String, CaseIterable, Sendable {
    /// Advertises, and nothing else.
    case advertiser
    /// Listens for advertisements.
    case scanner
    /// A GATT server whose value can be read, written and subscribed to.
    case peripheral
    /// Connects to a device of another group, and reads, writes or subscribes.
    case central
    /// TI's key fob.
    case keyfob
    /// A phone with the app that plays it.
    case keyfobPhone = "keyfob-phone"
    /// A phone with an app that is TI's SensorTag.
    case sensortag
    /// A phone that is an iBeacon.
    case ibeacon
    /// A phone whose app is in the background and sends four bytes in the overflow area.
    case overflowBeacon = "overflow-beacon"
    /// A phone with an app on its screen that looks for such bytes.
    case overflowListener = "overflow-listener"
    /// A phone with MoneyDrop, which can be found and paid.
    case moneydrop
    /// A phone with MoneyDrop whose owner pays somebody of another group.
    case moneydropPayer = "moneydrop-payer"
    /// A phone at which text can be written.
    case textServer = "text-server"
    /// A phone that looks for such a one, and writes a text to it.
    case textClient = "text-client"
    /// A desk with a workstation.
    case desk
    /// A phone whose owner logs in at a desk of another group.
    case loginPhone = "login-phone"

    /// Whether it listens for advertisements all the time.
    var listens: Bool { self == .scanner || self == .overflowListener }
    /// Whether it ever listens for advertisements, be it to connect.
    var seeks: Bool { listens || self == .central }
    /// Whether it has to do with others by more than frames: it has the same bank, or its person reads what another one shows.
    var needsOneProcess: Bool {
        switch self {
        case .moneydrop, .moneydropPayer, .textServer, .textClient, .desk, .loginPhone: true
        case .advertiser, .scanner, .peripheral, .central, .keyfob, .keyfobPhone, .sensortag, .ibeacon, .overflowBeacon,
            .overflowListener:
            false
        }
    }
    /// Whether it advertises.
    var advertises: Bool {
        switch self {
        case .scanner, .central, .overflowListener, .textClient, .loginPhone: false
        case .advertiser, .peripheral, .keyfob, .keyfobPhone, .sensortag, .ibeacon, .overflowBeacon, .moneydrop,
            .moneydropPayer, .textServer, .desk:
            true
        }
    }
    /// Of which kinds the devices of the group `to` may be; nil for kinds that have no `to`.
    var peers: [DeviceKind]? {
        switch self {
        // They have an address that does not change.
        case .central: [.peripheral, .keyfob]
        case .moneydropPayer: [.moneydrop]
        case .loginPhone: [.desk]
        default: nil
        }
    }
    /// Whether its owner has something to do once.
    var hasTask: Bool { self == .moneydropPayer || self == .textClient || self == .loginPhone }

    /// What can be set of a group of such devices, the kind itself excepted.
    func parameters(of group: String) -> [WorldParameter] {
        Self.common(group) + own(group)
    }

    private static func common(_ group: String) -> [WorldParameter] {
        [
            WorldParameter("\(group).count", .number(.number, 0...100_000, isWhole: true), .number(1)),
            WorldParameter("\(group).place", .choice(["random", "at", "grid", "line", "circle"]), .word("random")),
            WorldParameter("\(group).x", .number(.length, -1e6...1e6), .number(0)),
            WorldParameter("\(group).y", .number(.length, -1e6...1e6), .number(0)),
            WorldParameter("\(group).distance", .number(.length, 0...1e6), .number(1)),
            WorldParameter("\(group).walk", .choice(["still", "waypoint", "streets", "trace"]), .word("still")),
            WorldParameter("\(group).speed", .number(.speed, 0...100), .number(1.4)),
            WorldParameter("\(group).block", .number(.length, 1...1e5), .number(50)),
            WorldParameter("\(group).trace", .file, .word("")),
        ]
    }

    /// What devices send with that are told no power, in dBm.
    static let usualPower = 0

    private func own(_ group: String) -> [WorldParameter] {
        // Connections have steps of two slots: 7.8.12.
        let slots = WorldParameter.slotsPerSecond
        func interval(_ standard: Double) -> WorldParameter {
            WorldParameter("\(group).interval", .number(.time, 0.02...10.24, steps: slots), .number(standard))
        }
        let power = WorldParameter(
            "\(group).power",
            .number(.power, -40...20, isWhole: true),
            .number(Double(Self.usualPower))
        )
        switch self {
        case .advertiser:
            return [
                interval(0.1), power,
                WorldParameter(
                    "\(group).type",
                    .choice(["nonconnectable", "scannable", "connectable"]),
                    .word("nonconnectable")
                ),
                WorldParameter("\(group).payload", .number(.bytes, 0...31, isWhole: true), .number(31)),
            ]
        case .scanner:
            return [
                WorldParameter("\(group).interval", .number(.time, 0.0025...10.24, steps: slots), .number(0.03)),
                WorldParameter("\(group).window", .number(.time, 0.0025...10.24, steps: slots), .number(0.03)),
                WorldParameter("\(group).active", .choice(["no", "yes"]), .word("no")), power,
            ]
        case .peripheral:
            return [
                interval(0.1), power,
                WorldParameter("\(group).value", .number(.bytes, 1...512, isWhole: true), .number(20)),
                WorldParameter("\(group).long-packets", .choice(["yes", "no"]), .word("yes")),
            ]
        case .central:
            return [
                WorldParameter("\(group).to", .group, .word("")), power,
                WorldParameter("\(group).interval", .number(.time, 0.0075...4, steps: slots / 2), .number(0.03)),
                WorldParameter("\(group).traffic", .choice(["none", "notify", "read", "write"]), .word("none")),
                WorldParameter("\(group).value", .number(.bytes, 1...512, isWhole: true), .number(20)),
                WorldParameter("\(group).mtu", .number(.bytes, 23...517, isWhole: true), .number(247)),
                WorldParameter("\(group).phy", .choice(["1M", "2M"]), .word("1M")),
                WorldParameter("\(group).long-packets", .choice(["yes", "no"]), .word("yes")),
                WorldParameter("\(group).hold", .number(.time, 0...86_400), .number(0)),
                WorldParameter("\(group).scan-interval", .number(.time, 0.0025...10.24, steps: slots), .number(0.03)),
                WorldParameter("\(group).scan-window", .number(.time, 0.0025...10.24, steps: slots), .number(0.03)),
            ]
        case .keyfob, .keyfobPhone: return [interval(0.1)]
        case .sensortag, .ibeacon: return []
        case .overflowBeacon:
            return [
                interval(1.0225), WorldParameter("\(group).rotation", .number(.time, 0.1...3_600), .number(5)),
                WorldParameter("\(group).ios", .number(.number, 8...99, isWhole: true), .number(13)),
            ]
        case .overflowListener, .textServer, .desk: return []
        case .moneydrop: return [WorldParameter("\(group).photo", .number(.bytes, 0...1e6, isWhole: true), .number(0))]
        case .moneydropPayer, .loginPhone: return [WorldParameter("\(group).to", .group, .word(""))]
        case .textClient:
            return [WorldParameter("\(group).text", .number(.bytes, 8...100_000, isWhole: true), .number(100))]
        }
    }
}

/// Devices of one kind.
struct DeviceGroup: Hashable, Sendable {
    let name: String
    let kind: DeviceKind
}
