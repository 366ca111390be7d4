public import BluethroatBluetoothValues
public import BluethroatByteCoding

/// LE Extended Advertising Report: what an extended scan has heard. Core 6.0, Vol 4, Part E, 7.7.65.13.
public struct LEExtendedAdvertisingReport: HCIEvent {
    public static var identifier: EventIdentifier { .leExtendedAdvertisingReport }
    public static var name: String { "LE Extended Advertising Report" }
    public var event: Event { .leExtendedAdvertisingReport(self) }

    /// One advertisement or scan response, or a part of it.
    public struct Report: FieldDescribed, Hashable, Sendable {
        /// What was heard, and whether it is all.
        public var type: ExtendedAdvertisingReportType
        /// May be `.anonymous`.
        public var peer: PeerAddress
        /// LE 1M or LE Coded.
        public var primaryPHY: PHY
        /// Nil where nothing came on a secondary channel.
        public var secondaryPHY: PHY?
        /// Advertising SID, 0 to 15; 0xFF if there was none.
        public var setIdentifier: UInt8
        /// As the advertiser says.
        public var transmitPower: SignalStrength?
        /// Nil where the controller has no value.
        public var rssi: SignalStrength?
        /// Steps of 1.25 ms; 0 without periodic advertising.
        public var periodicInterval: UInt16
        /// The target of directed advertising; all zero otherwise.
        public var target: PeerAddress
        /// At most 229 bytes.
        public var data: [UInt8]

        public init(
            type: ExtendedAdvertisingReportType,
            peer: PeerAddress,
            primaryPHY: PHY = .le1M,
            secondaryPHY: PHY? = nil,
            setIdentifier: UInt8 = 0xFF,
            transmitPower: SignalStrength? = nil,
            rssi: SignalStrength? = nil,
            periodicInterval: UInt16 = 0,
            target: PeerAddress = PeerAddress(DeviceAddress(value: 0, kind: .public)),
            data: [UInt8]
        ) {
            self.type = type
            self.peer = peer
            self.primaryPHY = primaryPHY
            self.secondaryPHY = secondaryPHY
            self.setIdentifier = setIdentifier
            self.transmitPower = transmitPower
            self.rssi = rssi
            self.periodicInterval = periodicInterval
            self.target = target
            self.data = data
        }

        public init(parsing bytes: inout RawSpan) throws(DecodeError) {
            type = ExtendedAdvertisingReportType(rawValue: try bytes.takeUInt16())
            peer = try PeerAddress(parsing: &bytes)
            primaryPHY = try bytes.takePHY("primary PHY")
            secondaryPHY = try bytes.takeOptionalPHY("secondary PHY")
            setIdentifier = try bytes.takeUInt8()
            transmitPower = try bytes.takeSignalStrength()
            rssi = try bytes.takeSignalStrength()
            periodicInterval = try bytes.takeUInt16()
            target = try PeerAddress(parsing: &bytes)
            data = try bytes.takeCountedBytes()
        }

        public func write(to out: inout [UInt8]) {
            out.appendUInt16(type.rawValue)
            peer.write(to: &out)
            out.append(primaryPHY.rawValue)
            out.append(secondaryPHY?.rawValue ?? 0)
            out.appendUInt8(setIdentifier)
            out.appendInt8(transmitPower?.dBm ?? 127)
            out.appendInt8(rssi?.dBm ?? 127)
            out.appendUInt16(periodicInterval)
            target.write(to: &out)
            out.appendCountedBytes(data)
        }

        public static var fields: [Field<Self>] {
            [
                Field("Event_Type", \.type),
                Field("Address_Type", \.peer.type),
                Field("Address", \.peer.address),
                Field("Primary_PHY", \.primaryPHY),
                Field("Secondary_PHY") { $0.secondaryPHY?.rawValue ?? 0 },
                Field("Advertising_SID", \.setIdentifier),
                Field("TX_Power", unit: .decibelMilliwatts) { $0.transmitPower?.dBm ?? 127 },
                Field("RSSI", unit: .decibelMilliwatts) { $0.rssi?.dBm ?? 127 },
                Field("Periodic_Advertising_Interval", unit: .intervals, \.periodicInterval),
                Field("Direct_Address_Type", \.target.type),
                Field("Direct_Address", \.target.address),
                Field("Data_Length") { UInt8(truncatingIfNeeded: $0.data.count) },
                .bytes("Data", .counted(by: "Data_Length"), \.data),
            ]
        }
    }

    /// 1 to 10.
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
    /// LE Extended Advertising Report.
    public static let leExtendedAdvertisingReport = Self(le: .extendedAdvertisingReport)
}

extension LESubeventCode {
    public static let extendedAdvertisingReport = Self(rawValue: 0x0D)
}

extension LEEventMask {
    public static let extendedAdvertisingReport = Self(.extendedAdvertisingReport)
}
