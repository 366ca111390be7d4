/// Where a Bluetooth controller can be reached, as people write it: `tcp:127.0.0.1:6402`, `unix:/tmp/hci`,
/// `pty:/tmp/bumble`, `serial:/dev/ttyUSB0,115200` or `user-channel:hci0`.
public enum HCIEndpoint: Hashable, Sendable {
    /// H4 over TCP.
    case tcp(HostPort)
    /// H4 over a Unix stream socket.
    case unix(path: String)
    /// H4 over a pseudo-terminal that another program made.
    case pty(path: String)
    /// H4 over a serial line; `baud` in bits per second.
    case serial(device: String, baud: Int)
    /// An adapter of the Linux kernel, taken over whole: `hci0` is index 0.
    case userChannel(index: UInt16)

    /// The speed of a serial line if none is given, in bits per second.
    public static let defaultBaud = 115_200

    /// The world that `bluethroat keyfob` starts if nothing else is said.
    public static let standard = Self.tcp(HostPort(host: "127.0.0.1", port: 6402))

    /// Reads any of the forms; `HOST:PORT` alone means TCP.
    public init(parsing text: String) throws(HCIEndpointError) {
        let scheme = text.prefix { $0 != ":" }
        let rest = text.dropFirst(scheme.count + 1)
        switch scheme {
        case "tcp": self = .tcp(try Self.remote(rest))
        case "unix": self = .unix(path: try Self.path(rest, after: "unix", example: "/tmp/hci"))
        case "pty": self = .pty(path: try Self.path(rest, after: "pty", example: "/tmp/controller"))
        case "serial": self = try Self.serial(rest)
        case "user-channel": self = try Self.userChannel(rest)
        default:
            // `usb:0` of other programs looks like a host and a port; port 0 is never meant.
            guard let port = rest.split(separator: ":").last, UInt16(port).map({ $0 > 0 }) ?? text.hasPrefix("[") else {
                throw Self.unknown(text)
            }
            self = .tcp(try Self.remote(text))
        }
    }

    private static func remote(_ text: some StringProtocol) throws(HCIEndpointError) -> HostPort {
        let address = try HostPort(parsing: text)
        guard address.port > 0 else {
            throw HCIEndpointError("port 0 cannot be connected to; give the port that is listening")
        }
        return address
    }

    private static func path(
        _ text: Substring,
        after scheme: String,
        example: String
    ) throws(HCIEndpointError) -> String {
        guard !text.isEmpty else { throw HCIEndpointError("\(scheme): needs a path, as in \(scheme):\(example)") }
        return String(text)
    }

    private static func serial(_ text: Substring) throws(HCIEndpointError) -> Self {
        guard let comma = text.lastIndex(of: ",") else {
            return .serial(device: try path(text, after: "serial", example: "/dev/ttyUSB0"), baud: defaultBaud)
        }
        let device = try path(text[..<comma], after: "serial", example: "/dev/ttyUSB0,115200")
        let digits = text[text.index(after: comma)...]
        guard let baud = Int(digits), SerialLine.speeds.contains(where: { $0.baud == baud }) else {
            let known = SerialLine.speeds.map { String($0.baud) }.joined(separator: ", ")
            throw HCIEndpointError("\(digits) is no speed of a serial line; give one of \(known)")
        }
        return .serial(device: device, baud: baud)
    }

    private static func userChannel(_ text: Substring) throws(HCIEndpointError) -> Self {
        let digits = text.hasPrefix("hci") ? text.dropFirst(3) : text
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let index = UInt16(digits),
            index < 0xFFFF
        else {
            throw HCIEndpointError("\(text.isEmpty ? "nothing" : String(text)) is no adapter; write user-channel:hci0")
        }
        return .userChannel(index: index)
    }

    private static func unknown(_ text: String) -> HCIEndpointError {
        HCIEndpointError(
            "\(text.isEmpty ? "an empty text" : text) is no way to a controller; give tcp:HOST:PORT, unix:PATH, "
                + "pty:PATH, serial:DEVICE[,BAUD] or user-channel:hci0"
        )
    }
}

extension HCIEndpoint: CustomStringConvertible {
    /// The form that `init(parsing:)` reads back.
    public var description: String {
        switch self {
        case .tcp(let address): "tcp:\(address)"
        case .unix(let path): "unix:\(path)"
        case .pty(let path): "pty:\(path)"
        case .serial(let device, let baud): baud == Self.defaultBaud ? "serial:\(device)" : "serial:\(device),\(baud)"
        case .userChannel(let index): "user-channel:hci\(index)"
        }
    }
}

/// A text that names no place where a controller could be; the message says what to write instead.
public struct HCIEndpointError: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String

    init(_ description: String) { self.description = description }
}
