public import BluethroatBluetoothValues
public import BluethroatByteCoding

/// LE Advertising Report: what a legacy scan has heard. Core 6.0, Vol 4, Part E, 7.7.65.2.
public struct LEAdvertisingReport: HCIEvent {
    public static var identifier: EventIdentifier { .leAdvertisingReport }
    public static var name: String { "LE Advertising Report" }
    public var event: Event { .leAdvertisingReport(self) }

    /// One advertisement or scan response.
    public struct Report: FieldDescribed, Hashable, Sendable {
        /// What was heard.
        public var type: AdvertisingReportType
        /// The other device.
        public var peer: PeerAddress
        /// At most 31 bytes.
        public var data: [UInt8]
        /// Nil where the controller has no value.
        public var rssi: SignalStrength?

        public init(type: AdvertisingReportType, peer: PeerAddress, data: [UInt8], rssi: SignalStrength?) {
            self.type = type
            self.peer = peer
            self.data = data
            self.rssi = rssi
        }

        public init(parsing bytes: inout RawSpan) throws(DecodeError) {
            type = try bytes.takeEnum("type")
            peer = try PeerAddress(parsing: &bytes)
            data = try bytes.takeCountedBytes()
            rssi = try bytes.takeSignalStrength()
        }

        public func write(to out: inout [UInt8]) {
            out.append(type.rawValue)
            peer.write(to: &out)
            out.appendCountedBytes(data)
            out.appendInt8(rssi?.dBm ?? 127)
        }

        public static var fields: [Field<Self>] {
            [
                Field("Event_Type", \.type),
                Field("Address_Type", \.peer.type),
                Field("Address", \.peer.address),
                Field("Data_Length") { UInt8(truncatingIfNeeded: $0.data.count) },
                .bytes("Data", .counted(by: "Data_Length"), \.data),
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
        // As most controllers send them: a list of one is made in one go.
        guard count != 1 else {
            reports = [try Report(parsing: &bytes)]
            return
        }
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
    /// LE Advertising Report.
    public static let leAdvertisingReport = Self(le: .advertisingReport)
}

extension LESubeventCode {
    public static let advertisingReport = Self(rawValue: 0x02)
}

extension LEEventMask {
    public static let advertisingReport = Self(.advertisingReport)
}
