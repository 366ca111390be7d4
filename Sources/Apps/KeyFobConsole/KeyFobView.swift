public import BluethroatBluetoothValues
import BluethroatHost
public import BluethroatKeyFob
import BluethroatVirtualTime

/// What a terminal shows of TI's key fob.
public struct KeyFobView: FobView {
    public var address: DeviceAddress?
    /// Where hosts attach, or which controller the fob runs on.
    public var transport: String
    /// In metres; nil where there is no distance to speak of.
    public var distance: Double?
    public var acceleration = Acceleration.zero
    public var message: String?
    public var panel: String?

    private var advertising = false
    private var peer: DeviceAddress?
    /// How the link is encrypted; nil if it is not.
    private var link: LinkSecurity?
    private var keys: KeyFobKeys = []
    private var alert = AlertLevel.none
    private(set) var alertSource: AlertSource?
    private(set) var tone: Int?
    private var led1 = false
    private var led2 = false
    private var battery: UInt8 = 100
    private var transmitPower: Int8 = 0
    private var accelerometer = false
    private var subscriptions: [BluetoothUUID] = []
    private var history = NoticeHistory()

    public init(address: DeviceAddress? = nil, transport: String, distance: Double?) {
        self.address = address
        self.transport = transport
        self.distance = distance
    }

    public mutating func apply(_ notice: FobNotice) {
        if case .fob(let change) = notice.change { apply(KeyFobNotice(time: notice.time, change: change)) }
    }

    public mutating func obeyed(_ word: KeyFobWord, chip: KeyFobOptions.AccelerometerChip) {
        switch word {
        case .tilt(let acceleration): self.acceleration = acceleration
        case .tiltInG(let x, let y, let z): acceleration = Acceleration(gX: x, gY: y, gZ: z, chip: chip)
        case .distance(let metres): distance = metres
        default: break
        }
    }

    public mutating func apply(_ notice: KeyFobNotice) {
        switch notice.change {
        case .advertising(let on): advertising = on
        case .connected(let new): peer = new
        case .disconnected:
            peer = nil
            link = nil
            subscriptions = []
        case .keys(let new): keys = new
        case .alert(let level, let source): (alert, alertSource) = (level, source)
        case .tone(let hertz): tone = hertz
        case .led(.led1, let on): led1 = on
        case .led(.led2, let on): led2 = on
        case .battery(let percent): battery = percent
        case .transmitPower(let dBm): transmitPower = dBm
        case .accelerometer(let enabled): accelerometer = enabled
        case .subscribed(_, let uuid, _, let on):
            subscriptions.removeAll { $0 == uuid }
            if on { subscriptions.append(uuid) }
        case .encrypted(_, let security): link = security.isEncrypted ? security : nil
        case .recognised, .passkey, .paired, .pairingFailed, .keyMissing, .bondRemoved, .bondsFailed, .radioFailed:
            break
        }
        // Lights and beeps are seen above; listed, they would drive everything else away.
        switch notice.change {
        case .led, .tone: break
        default:
            history.append(KeyFobSentences.line(notice))
        }
    }

    public func lines(width: Int, colours: Bool) -> [String] {
        let paint = Paint(isOn: colours)
        var lines: [[Piece]] = [
            [.init(address.map { "Key fob \($0)" } ?? "Key fob", .bold), .init("  \(transport)")],
            [.init(panel.map { "Control panel \($0)" } ?? "", .dim)],
            [
                .init("  LED1 "), .lamp(led1), .init("   LED2 "), .lamp(led2), .init("   buzzer "),
                tone.map { .init("\($0) Hz", .yellow) } ?? .init("silent"),
                .init("   alert "), .init(KeyFobSentences.alert(alert, alertSource), alert == .none ? .plain : .red),
            ],
            [
                .init("  keys "), .key("left", isDown: keys.contains(.left)), .init(" "),
                .key("right", isDown: keys.contains(.right)),
                .init("   advertising "), advertising ? .init("on", .green) : .init("off"),
                .init("   peer "), peer.map { .init("\($0)", .green) } ?? .init("none"),
                .init(link == nil ? "" : "  encrypted"),
            ],
            [
                .init("  battery \(battery) %   transmit power \(transmitPower) dBm"),
                .init(distance.map { "   distance \(Piece.metres($0)) m" } ?? ""),
            ],
            [
                .init("  accelerometer \(accelerometer ? "on" : "off")"),
                .init("   x \(acceleration.x)  y \(acceleration.y)  z \(acceleration.z)"),
            ],
            [.init("  subscribed to \(subscriptionText)")],
            [],
        ]
        lines += history.pieces
        lines.append([])
        lines.append([message.map { .init($0, .red) } ?? .init("l left   r right   a advertising   q quit", .dim)])
        return lines.map { paint.line($0, width: width) }
    }

    /// What is seen of it where there are others.
    var summary: [Piece] {
        let state: Piece =
            if alert != .none {
                .init("alert: \(KeyFobSentences.alert(alert, alertSource))", .red)
            } else if let peer {
                .init("connected with \(peer)", .green)
            } else {
                .init(advertising ? "advertising" : "not advertising")
            }
        return [
            .key("left", isDown: keys.contains(.left)), .init(" "), .key("right", isDown: keys.contains(.right)),
            .init("  LED1 "), .lamp(led1), .init(" LED2 "), .lamp(led2), .init("  "), state,
        ]
    }

    private var subscriptionText: String {
        subscriptions.isEmpty ? "nothing" : subscriptions.map(\.description).joined(separator: " ")
    }
}
