public import BluethroatBluetoothValues
public import BluethroatByteCoding

/// LE Directed Advertising Report: directed advertising to a private address the controller could not resolve. Core 6.0, Vol 4, Part E, 7.7.65.11.
public struct LEDirectedAdvertisingReport: HCIEvent {
    public static var identifier: EventIdentifier { .leDirectedAdvertisingReport }
    public static var name: String { "LE Directed Advertising Report" }
    public var event: Event { .leDirectedAdvertisingReport(self) }

    /// One directed advertisement.
    public struct Report: FieldDescribed, Hashable, Sendable {
        /// Always directed.
        public var type: AdvertisingReportType
        /// The other device.
        public var peer: PeerAddress
        /// The private address that was called.
        public var target: PeerAddress
        /// Nil where the controller has no value.
        public var rssi: SignalStrength?

        public init(type: AdvertisingReportType, peer: PeerAddress, target: PeerAddress, rssi: SignalStrength?) {
            self.type = type
            self.peer = peer
            self.target = target
            self.rssi = rssi
        }

        public init(parsing bytes: inout RawSpan) throws(DecodeError) {
            type = try bytes.takeEnum("type")
            peer = try PeerAddress(parsing: &bytes)
            target = try PeerAddress(parsing: &bytes)
            rssi = try bytes.takeSignalStrength()
        }

        public func write(to out: inout [UInt8]) {
            out.append(type.rawValue)
            peer.write(to: &out)
            target.write(to: &out)
            out.appendInt8(rssi?.dBm ?? 127)
        }

        public static var fields: [Field<Self>] {
            [
                Field("Event_Type", \.type),
                Field("Address_Type", \.peer.type),
                Field("Address", \.peer.address),
                Field("Direct_Address_Type", \.target.type),
                Field("Direct_Address", \.target.address),
                Field("RSSI", unit: .decibelMilliwatts) { $0.rssi?.dBm ?? 127 },
            ]
        }
    }

    /// 1 to 25.
    public var reports: [Report]

    public init(reports: [Report]) {
        self.reports = reports
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        let count = Int(try bytes.takeUInt8())
        reports = []
        reports.reserveCapacity(count)
        for _ in 0..<count { reports.append(try Report(parsing: &bytes)) }
    }

    public func write(to out: inout [UInt8]) {
        out.appendUInt8(UInt8(reports.count))
        for element in reports { element.write(to: &out) }
    }

    public static var fields: [Field<Self>] {
        [
            Field("Num_Reports") { UInt8(truncatingIfNeeded: $0.reports.count) },
            .group("Reports", .counted(by: "Num_Reports"), of: Report.fields, \.reports),
        ]
    }
}

extension EventIdentifier {
    /// LE Directed Advertising Report.
    public static let leDirectedAdvertisingReport = Self(le: .directedAdvertisingReport)
}

extension LESubeventCode {
    public static let directedAdvertisingReport = Self(rawValue: 0x0B)
}

extension LEEventMask {
    public static let directedAdvertisingReport = Self(.directedAdvertisingReport)
}
