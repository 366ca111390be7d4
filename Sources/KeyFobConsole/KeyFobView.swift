public import BluetoothValues
import Host
public import KeyFob
import VirtualTime

/// What a terminal shows of a key fob, put together from its notices.
public struct KeyFobView: Sendable {
    /// Nil as long as nobody knows.
    public var address: DeviceAddress?
    /// Where hosts attach, or which controller the fob runs on.
    public var transport: String
    /// In metres; nil where there is no distance to speak of.
    public var distance: Double?
    public var acceleration = Acceleration.zero
    /// The last thing that went wrong, until the next word.
    public var message: String?

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
    private var history: [String] = []

    /// How many of the last notices are listed below the fob.
    static let historyLength = 6

    public init(address: DeviceAddress? = nil, transport: String, distance: Double?) {
        self.address = address
        self.transport = transport
        self.distance = distance
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
            history.removeFirst(max(0, history.count - Self.historyLength))
        }
    }

    /// The lines to show, each at most `width` characters long, and always equally many.
    public func lines(width: Int, colours: Bool) -> [String] {
        let paint = Paint(isOn: colours)
        var lines: [[Piece]] = [
            [.init(address.map { "Key fob \($0)" } ?? "Key fob", .bold), .init("  \(transport)")],
            [],
            [
                .init("  LED1 "), lamp(led1), .init("   LED2 "), lamp(led2), .init("   buzzer "),
                tone.map { .init("\($0) Hz", .yellow) } ?? .init("silent"),
                .init("   alert "), .init(KeyFobSentences.alert(alert, alertSource), alert == .none ? .plain : .red),
            ],
            [
                .init("  keys "), key(.left, "left"), .init(" "), key(.right, "right"),
                .init("   advertising "), advertising ? .init("on", .green) : .init("off"),
                .init("   peer "), peer.map { .init("\($0)", .green) } ?? .init("none"),
                .init(link == nil ? "" : "  encrypted"),
            ],
            [
                .init("  battery \(battery) %   transmit power \(transmitPower) dBm"),
                .init(distance.map { "   distance \(Self.metres($0)) m" } ?? ""),
            ],
            [
                .init("  accelerometer \(accelerometer ? "on" : "off")"),
                .init("   x \(acceleration.x)  y \(acceleration.y)  z \(acceleration.z)"),
            ],
            [.init("  subscribed to \(subscriptionText)")],
            [],
        ]
        for index in 0..<Self.historyLength {
            lines.append([.init(index < history.count ? history[index] : "", .dim)])
        }
        lines.append([])
        lines.append([message.map { .init($0, .red) } ?? .init("l left   r right   a advertising   q quit", .dim)])
        return lines.map { paint.line($0, width: width) }
    }

    private var subscriptionText: String {
        subscriptions.isEmpty ? "nothing" : subscriptions.map(\.description).joined(separator: " ")
    }

    private func lamp(_ on: Bool) -> Piece { on ? Piece("●", .yellow) : Piece("○") }

    private func key(_ key: KeyFobKeys, _ name: String) -> Piece {
        keys.contains(key) ? Piece("[\(name)]", .inverse) : Piece("[\(name)]")
    }

    /// As many decimals as somebody would write.
    private static func metres(_ distance: Double) -> String {
        distance == distance.rounded() && distance < 1e9 ? String(Int(distance)) : String(distance)
    }
}

/// A run of text in one style.
private struct Piece {
    enum Style: String {
        case plain = ""
        case bold = "1"
        case dim = "2"
        case inverse = "7"
        case red = "31"
        case green = "32"
        case yellow = "33"
    }

    var text: String
    var style: Style

    init(_ text: String, _ style: Style = .plain) {
        self.text = text
        self.style = style
    }
}

private struct Paint {
    let isOn: Bool

    /// The pieces in a row, cut to a width; styles take no room.
    func line(_ pieces: [Piece], width: Int) -> String {
        var room = max(0, width)
        var line = ""
        for piece in pieces {
            let shown = String(piece.text.prefix(room))
            room -= shown.count
            guard !shown.isEmpty else { continue }
            line += isOn && piece.style != .plain ? "\u{1B}[\(piece.style.rawValue)m\(shown)\u{1B}[0m" : shown
        }
        return line
    }
}
