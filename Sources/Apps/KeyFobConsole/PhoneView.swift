public import BluethroatBluetoothValues
public import BluethroatKeyFob

/// What a terminal shows of the phone that plays a key fob: what the phone's own screen shows, and who is connected.
public struct PhoneView: FobView {
    public var address: DeviceAddress?
    public var message: String?
    public var panel: String?
    /// Where hosts attach, or which controller the phone runs on.
    private let transport: String
    private var distance: Double?
    private var tilt = (x: 0.0, y: 0.0, z: 0.0)

    private var status = (text: "Unknown", colour: "black")
    private var advertising = false
    private var peers: [DeviceAddress] = []
    private var lamps: Set<FobNotice.Lamp> = []
    private var tones: [FobNotice.Tone] = []
    private var keys: KeyFobKeys = []
    private var battery: UInt8 = 80
    private var transmitPower: Int8 = 0
    private var accelerometer = false
    private var isInBackground = false
    private var showsAbout = false
    private var subscriptions: [DeviceAddress: [BluetoothUUID]] = [:]
    private var history = NoticeHistory()

    public init(transport: String, distance: Double?) {
        self.transport = transport
        self.distance = distance
    }

    public mutating func apply(_ notice: FobNotice) {
        switch notice.change {
        case .fob(let change): apply(change)
        case .status(let text, let colour): status = (text, colour)
        case .lamp(let lamp, true): lamps.insert(lamp)
        case .lamp(let lamp, false): lamps.remove(lamp)
        case .tone(let tone, let on):
            tones.removeAll { $0 == tone }
            if on { tones.append(tone) }
        case .background(let isThere): isInBackground = isThere
        case .about(let isShown): showsAbout = isShown
        }
        // Lights and tones are seen above; listed, they would drive everything else away.
        switch notice.change {
        case .lamp, .tone: break
        default: history.append(notice.line)
        }
    }

    private mutating func apply(_ change: KeyFobNotice.Change) {
        switch change {
        case .advertising(let on): advertising = on
        case .connected(let peer): peers.append(peer)
        case .disconnected(let peer, _):
            peers.removeAll { $0 == peer }
            subscriptions[peer] = nil
        case .keys(let new): keys = new
        case .battery(let percent): battery = percent
        case .transmitPower(let dBm): transmitPower = dBm
        case .accelerometer(let isOn): accelerometer = isOn
        case .subscribed(let peer, let uuid, _, let on):
            subscriptions[peer, default: []].removeAll { $0 == uuid }
            if on { subscriptions[peer, default: []].append(uuid) }
        default: break
        }
    }

    public mutating func obeyed(_ word: KeyFobWord, chip: KeyFobOptions.AccelerometerChip) {
        switch word {
        case .tilt(let acceleration): tilt = acceleration.ofPhone
        case .tiltInG(let x, let y, let z): tilt = (x, y, z)
        case .distance(let metres): distance = metres
        default: break
        }
    }

    public func lines(width: Int, colours: Bool) -> [String] {
        let paint = Paint(isOn: colours)
        let place = [isInBackground ? "in the background" : nil, showsAbout ? "About" : nil].compactMap(\.self)
        var lines: [[Piece]] = [
            [.init("Key Fob Simulator" + (address.map { " \($0)" } ?? ""), .bold), .init("  \(transport)")],
            [.init(panel.map { "Control panel \($0)" } ?? "", .dim)],
            [
                .init("  "), .init(status.text, statusStyle),
                .init(place.isEmpty ? "" : "   (" + place.joined(separator: ", ") + ")"),
            ],
            [
                .init("  LEDs left "), .lamp(lamps.contains(.left)), .init(" alert "), .lamp(lamps.contains(.alert)),
                .init(" right "), .lamp(lamps.contains(.right)), .init("   tones "),
                tones.isEmpty ? .init("none") : .init(tones.map(\.rawValue).joined(separator: " "), .yellow),
            ],
            [
                .init("  buttons "), .key("left", isDown: keys.contains(.left)), .init(" "),
                .key("right", isDown: keys.contains(.right)), .init("   Advertise "),
                advertising ? .init("on", .green) : .init("off"), .init("   centrals "),
                peers.isEmpty ? .init("none") : .init(peers.map(\.description).joined(separator: " "), .green),
            ],
            [
                .init("  Battery Level: \(battery)   Transmit Power= \(transmitPower) dBm"),
                .init(distance.map { "   distance \(Piece.metres($0)) m" } ?? ""),
            ],
            [
                .init("  accelerometer \(accelerometer ? "on" : "off")   x \(Piece.g(tilt.x))  y \(Piece.g(tilt.y))"),
                .init("  z \(Piece.g(tilt.z))  g"),
            ],
            [.init("  subscribed to \(subscriptionText)")],
            [],
        ]
        lines += history.pieces
        lines.append([])
        lines.append([message.map { .init($0, .red) } ?? .init("l left   r right   a advertise   q quit", .dim)])
        return lines.map { paint.line($0, width: width) }
    }

    /// What is seen of it where there are others.
    var summary: [Piece] {
        let state: Piece =
            if !tones.isEmpty {
                .init("tones: " + tones.map(\.rawValue).joined(separator: " "), .yellow)
            } else if !peers.isEmpty {
                .init("connected with " + peers.map(\.description).joined(separator: " "), .green)
            } else {
                .init(advertising ? "advertising" : "not advertising")
            }
        return [
            .key("left", isDown: keys.contains(.left)), .init(" "), .key("right", isDown: keys.contains(.right)),
            .init("  LEDs "), .lamp(lamps.contains(.left)), .init(" "), .lamp(lamps.contains(.alert)), .init(" "),
            .lamp(lamps.contains(.right)), .init("  "), state,
        ]
    }

    private var statusStyle: Piece.Style {
        switch status.colour {
        case "green": .green
        case "red": .red
        default: .plain
        }
    }

    private var subscriptionText: String {
        let uuids = peers.flatMap { subscriptions[$0] ?? [] }
        return uuids.isEmpty ? "nothing" : uuids.map(\.description).joined(separator: " ")
    }
}

extension Acceleration {
    /// Sensor counts as a phone has them: 127 are one g. What the phone's app makes of it are these counts again, -128
    /// being more than one g.
    public var ofPhone: (x: Double, y: Double, z: Double) {
        func g(_ count: Int8) -> Double {
            // A little more, so that cutting off the fraction does not take one count away.
            let magnitude = count == 0 ? 0 : (Double(count.magnitude) / 127).nextUp
            return count < 0 ? -magnitude : magnitude
        }
        return (g(x), g(y), g(z))
    }
}

extension Piece {
    /// To the hundredth.
    static func g(_ value: Double) -> String {
        guard value.magnitude < 1e6 else { return String(value) }
        let rounded = (value * 100).rounded() / 100
        return rounded == 0 ? "0.0" : String(rounded)
    }
}
