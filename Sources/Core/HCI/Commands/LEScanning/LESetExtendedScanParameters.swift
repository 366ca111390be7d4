import BluethroatBluetoothValues
public import BluethroatByteCoding

/// LE Set Extended Scan Parameters: how extended scanning is done, on each PHY. Core 6.0, Vol 4, Part E, 7.8.64.
public struct LESetExtendedScanParameters: HCICommand {
    /// How to scan on one PHY.
    public struct PHYParameters: FieldDescribed, Hashable, Sendable {
        /// Whether to ask advertisers for their scan response.
        public var isActive: Bool
        /// From one window's start to the next: steps of 0.625 ms, from 4.
        public var interval: UInt16
        /// How long to listen each time: steps of 0.625 ms, not more than the interval.
        public var window: UInt16

        public init(isActive: Bool = false, interval: UInt16 = 0x0010, window: UInt16 = 0x0010) {
            self.isActive = isActive
            self.interval = interval
            self.window = window
        }

        public init(parsing bytes: inout RawSpan) throws(DecodeError) {
            isActive = try bytes.takeBool("scan type")
            interval = try bytes.takeUInt16()
            window = try bytes.takeUInt16()
        }

        public func write(to out: inout [UInt8]) {
            out.append(isActive ? 1 : 0)
            out.appendUInt16(interval)
            out.appendUInt16(window)
        }

        public static var fields: [Field<Self>] {
            [
                Field("Scan_Type", \.isActive),
                Field("Scan_Interval", unit: .slots, \.interval),
                Field("Scan_Window", unit: .slots, \.window),
            ]
        }
    }

    public static var declaration: CommandDeclaration {
        CommandDeclaration(
            .leSetExtendedScanParameters,
            "LE Set Extended Scan Parameters",
            supportedBit: SupportedCommandsBit(octet: 37, bit: 5)
        )
    }

    /// Under which address the controller appears.
    public var ownAddressType: OwnAddressType
    /// The devices that are reported.
    public var filterPolicy: ScanFilterPolicy
    /// Nil to leave LE 1M out; at least one PHY must be in.
    public var le1M: PHYParameters?
    /// Nil to leave LE Coded out.
    public var leCoded: PHYParameters?

    public init(
        ownAddressType: OwnAddressType = .public,
        filterPolicy: ScanFilterPolicy = .basicUnfiltered,
        le1M: PHYParameters? = nil,
        leCoded: PHYParameters? = nil
    ) {
        self.ownAddressType = ownAddressType
        self.filterPolicy = filterPolicy
        self.le1M = le1M
        self.leCoded = leCoded
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        ownAddressType = try bytes.takeEnum("own address type")
        filterPolicy = try bytes.takeEnum("filter policy")
        let phys = PHYSet(rawValue: try bytes.takeUInt8())
        guard phys.isSubset(of: [.le1M, .leCoded]) else {
            throw .invalidValue(field: "scanning PHYs", value: Int(phys.rawValue))
        }
        if phys.contains(.le1M) { le1M = try PHYParameters(parsing: &bytes) }
        if phys.contains(.leCoded) { leCoded = try PHYParameters(parsing: &bytes) }
    }

    public func write(to out: inout [UInt8]) {
        out.append(ownAddressType.rawValue)
        out.append(filterPolicy.rawValue)
        out.append(phys.rawValue)
        le1M?.write(to: &out)
        leCoded?.write(to: &out)
    }

    /// A bit for each PHY that is in.
    private var phys: PHYSet {
        [le1M == nil ? [] : .le1M, leCoded == nil ? [] : .leCoded]
    }

    public static var fields: [Field<Self>] {
        [
            Field("Own_Address_Type", \.ownAddressType),
            Field("Scanning_Filter_Policy", \.filterPolicy),
            Field("Scanning_PHYs", \.phys),
            .group("LE 1M", .when("Scanning_PHYs", bit: 0), of: PHYParameters.fields) { [$0.le1M].compactMap(\.self) },
            .group("LE Coded", .when("Scanning_PHYs", bit: 2), of: PHYParameters.fields) {
                [$0.leCoded].compactMap(\.self)
            },
        ]
    }
}

extension Opcode {
    /// LE Set Extended Scan Parameters. 7.8.64.
    public static let leSetExtendedScanParameters = Self(rawValue: 0x2041)
}

extension Command {
    /// LE Set Extended Scan Parameters.
    public static func leSetExtendedScanParameters(_ command: LESetExtendedScanParameters) -> Self { Self(command) }
}
