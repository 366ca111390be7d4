public import BluethroatByteCoding

/// LE Scan Request Received: a scanner has asked one advertising set. Core 6.0, Vol 4, Part E, 7.7.65.19.
public struct LEScanRequestReceived: HCIEvent {
    public static var identifier: EventIdentifier { .leScanRequestReceived }
    public static var name: String { "LE Scan Request Received" }
    public var event: Event { .leScanRequestReceived(self) }

    /// The advertising set, 0x00 to 0xEF.
    public var advertisingHandle: UInt8
    /// The scanner.
    public var scanner: PeerAddress

    public init(advertisingHandle: UInt8, scanner: PeerAddress) {
        self.advertisingHandle = advertisingHandle
        self.scanner = scanner
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        advertisingHandle = try bytes.takeUInt8()
        scanner = try PeerAddress(parsing: &bytes)
    }

    public func write(to out: inout [UInt8]) {
        out.appendUInt8(advertisingHandle)
        scanner.write(to: &out)
    }

    public static var fields: [Field<Self>] {
        [
            Field("Advertising_Handle", \.advertisingHandle),
            Field("Scanner_Address_Type", \.scanner.type),
            Field("Scanner_Address", \.scanner.address),
        ]
    }
}

extension EventIdentifier {
    /// LE Scan Request Received.
    public static let leScanRequestReceived = Self(le: .scanRequestReceived)
}

extension LESubeventCode {
    public static let scanRequestReceived = Self(rawValue: 0x13)
}

extension LEEventMask {
    public static let scanRequestReceived = Self(.scanRequestReceived)
}
