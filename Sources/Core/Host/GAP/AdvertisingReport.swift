public import BluethroatBluetoothValues
internal import BluethroatHCI

/// One advertisement or scan response, as the controller heard it. Core 6.0, Vol 4, Part E, 7.7.65.2.
public struct AdvertisingReport: Hashable, Sendable {
    /// The type of PDU that was heard.
    public enum Kind: UInt8, Hashable, Sendable {
        /// ADV_IND
        case connectable = 0
        /// ADV_DIRECT_IND
        case directed = 1
        /// ADV_SCAN_IND
        case scannable = 2
        /// ADV_NONCONN_IND
        case nonConnectable = 3
        /// SCAN_RSP
        case scanResponse = 4
    }

    // In an order that makes it small: it travels in an event.
    /// AD structures, as sent; up to 31 bytes.
    public var data: [UInt8]
    /// The sender, by the address that was on the air, or by the identity where the controller resolved that.
    public var address: DeviceAddress
    public var kind: Kind
    /// Nil where the controller had no value.
    public var signalStrength: SignalStrength?
    /// The bonded peer that sent it, resolved by the controller or by the host; nil for other peers.
    public var identity: DeviceAddress?

    public init(
        kind: Kind,
        address: DeviceAddress,
        identity: DeviceAddress? = nil,
        data: [UInt8],
        signalStrength: SignalStrength?
    ) {
        self.kind = kind
        self.address = address
        self.identity = identity
        self.data = data
        self.signalStrength = signalStrength
    }

    /// Whether a connection to the sender may be attempted.
    public var isConnectable: Bool { kind == .connectable || kind == .directed }
    /// Whether the sender answers scan requests.
    public var isScannable: Bool { kind == .connectable || kind == .scannable }
}

extension AdvertisingReport.Kind {
    /// The legacy type that comes closest to an extended one.
    init(_ type: ExtendedAdvertisingReportType) {
        self =
            if type.contains(.scanResponse) {
                .scanResponse
            } else if type.contains(.directed) {
                .directed
            } else if type.contains(.connectable) {
                .connectable
            } else if type.contains(.scannable) {
                .scannable
            } else {
                .nonConnectable
            }
    }
}
