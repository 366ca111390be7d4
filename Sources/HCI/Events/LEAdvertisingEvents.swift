public import BluetoothValues
public import ByteCoding

/// LE Advertising Report: what a legacy scan has heard. Core 6.0, Vol 4, Part E, 7.7.65.2.
public struct LEAdvertisingReport: EventParameters {
    /// One advertisement or scan response.
    public struct Report: Hashable, Sendable {
        /// What was heard.
        public var type: AdvertisingReportType
        /// The other device.
        public var peer: PeerAddress
        /// At most 31 bytes.
        public var data: [UInt8]
        /// Nil where the controller cannot tell.
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
}

/// LE Directed Advertising Report: directed advertising to a private address the controller could not resolve. Core 6.0, Vol 4, Part E, 7.7.65.11.
public struct LEDirectedAdvertisingReport: EventParameters {
    /// One directed advertisement.
    public struct Report: Hashable, Sendable {
        /// Always directed.
        public var type: AdvertisingReportType
        /// The other device.
        public var peer: PeerAddress
        /// The private address that was called.
        public var target: PeerAddress
        /// Nil where the controller cannot tell.
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
}

/// LE Extended Advertising Report: what an extended scan has heard. Core 6.0, Vol 4, Part E, 7.7.65.13.
public struct LEExtendedAdvertisingReport: EventParameters {
    /// One advertisement or scan response, or a part of it.
    public struct Report: Hashable, Sendable {
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
        /// Nil where the controller cannot tell.
        public var rssi: SignalStrength?
        /// Steps of 1.25 ms; 0 without periodic advertising.
        public var periodicInterval: UInt16
        /// Whom directed advertising called; all zero otherwise.
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
}

/// LE Advertising Set Terminated: an advertising set has ended by itself. Core 6.0, Vol 4, Part E, 7.7.65.18.
public struct LEAdvertisingSetTerminated: EventParameters {
    /// Success if a connection came of it, else why it ended.
    public var status: ControllerError
    /// The advertising set, 0x00 to 0xEF.
    public var advertisingHandle: UInt8
    /// Which connection.
    public var connection: ConnectionHandle
    /// Advertising events sent, where that was limited.
    public var completedEvents: UInt8

    public init(status: ControllerError, advertisingHandle: UInt8, connection: ConnectionHandle, completedEvents: UInt8)
    {
        self.status = status
        self.advertisingHandle = advertisingHandle
        self.connection = connection
        self.completedEvents = completedEvents
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        status = ControllerError(rawValue: try bytes.takeUInt8())
        advertisingHandle = try bytes.takeUInt8()
        connection = try ConnectionHandle(parsing: &bytes, status: status)
        completedEvents = try bytes.takeUInt8()
    }

    public func write(to out: inout [UInt8]) {
        out.append(status.rawValue)
        out.appendUInt8(advertisingHandle)
        connection.write(to: &out)
        out.appendUInt8(completedEvents)
    }
}

/// LE Scan Request Received: a scanner has asked one advertising set. Core 6.0, Vol 4, Part E, 7.7.65.19.
public struct LEScanRequestReceived: EventParameters {
    /// The advertising set, 0x00 to 0xEF.
    public var advertisingHandle: UInt8
    /// Who asked.
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
}
