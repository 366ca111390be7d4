public import CoreBluetooth

/// The attributes of the text sample: two of the original, and one for the framed mode, which others do not know and
/// leave alone.
public enum TextProfile {
    public static let service = CBUUID(string: "BF52E2D6-FF52-43CB-99A0-872FA3DDE94F")
    /// Read: `some identificator`, always.
    public static let identification = CBUUID(string: "F438775D-E605-42B8-ABE7-6E31ED52EA87")
    /// Notify and write without response: text in packets without any header, as in the original.
    public static let transfer = CBUUID(string: "A82AE020-E171-42F8-A31C-5F612926F041")
    /// Read: the highest version of the framed mode that the server has, one byte. Notify and write without response:
    /// packets of that mode. Who subscribes here rather than to `transfer` wants it.
    public static let framed = CBUUID(string: "181FC66E-F77C-4FAB-9204-AA76758B4B76")

    public static let identificationValue = Data("some identificator".utf8)
    /// The version of the framed mode that is built in.
    public static let framedVersion: UInt8 = 1
    /// The longest text in bytes that is taken in the framed mode.
    public static let maximumTextLength = 1_000_000
}
