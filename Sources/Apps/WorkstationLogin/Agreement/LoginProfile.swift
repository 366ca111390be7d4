public import CoreBluetooth

/// The attributes of a desk.
public enum LoginProfile {
    public static let service = CBUUID(string: "A2CB8C37-6F51-4315-8DF3-0924E0F0B9DB")
    /// Read: the version of the protocol, one byte, and the four digits. Any central may.
    public static let identity = CBUUID(string: "0377DABF-28F2-4F8E-BB1A-66E21F934249")
    /// Notify and write without response, on encrypted links: packets of the framed mode, with messages in them.
    public static let exchange = CBUUID(string: "F936A893-7135-43F0-B03E-85B678682C59")

    public static let version: UInt8 = 2
    /// The longest message in bytes.
    static let maximumMessageLength = 1_024
    /// The longest name and password in bytes of UTF-8.
    public static let maximumUserLength = 64
    public static let maximumPasswordLength = 256
}
