public import BluethroatBluetoothValues
import BluethroatByteCoding

/// LL_VERSION_IND: what the sender is. Core 6.0, Vol 6, Part B, 2.4.2.13.
public struct VersionIndication: Hashable, Sendable {
    /// The Core Specification's version as an assigned number, e.g. 0x0D for 5.4.
    public var version: UInt8
    /// Who made the Link Layer, as an assigned number.
    public var companyIdentifier: UInt16
    /// What its maker calls this Link Layer.
    public var subversion: UInt16

    public init(version: UInt8, companyIdentifier: UInt16, subversion: UInt16) {
        self.version = version
        self.companyIdentifier = companyIdentifier
        self.subversion = subversion
    }

    init(parsing bytes: inout RawSpan) throws(DecodeError) {
        version = try bytes.takeUInt8()
        companyIdentifier = try bytes.takeUInt16()
        subversion = try bytes.takeUInt16()
    }

    func write(to out: inout [UInt8]) {
        out.appendUInt8(version)
        out.appendUInt16(companyIdentifier)
        out.appendUInt16(subversion)
    }
}

/// LL_LENGTH_REQ and LL_LENGTH_RSP: the longest data PDUs that the sender can receive and transmit.
/// Core 6.0, Vol 6, Part B, 2.4.2.20.
public struct DataLengths: Hashable, Sendable {
    /// Bytes of payload without MIC, 27 to 251.
    public var maximumReceiveOctets: UInt16
    /// In microseconds, 328 to 17 040.
    public var maximumReceiveTime: UInt16
    /// Bytes of payload without MIC, 27 to 251.
    public var maximumTransmitOctets: UInt16
    /// In microseconds, 328 to 17 040.
    public var maximumTransmitTime: UInt16

    public init(
        maximumReceiveOctets: UInt16,
        maximumReceiveTime: UInt16,
        maximumTransmitOctets: UInt16,
        maximumTransmitTime: UInt16
    ) {
        self.maximumReceiveOctets = maximumReceiveOctets
        self.maximumReceiveTime = maximumReceiveTime
        self.maximumTransmitOctets = maximumTransmitOctets
        self.maximumTransmitTime = maximumTransmitTime
    }

    init(parsing bytes: inout RawSpan) throws(DecodeError) {
        maximumReceiveOctets = try bytes.takeUInt16()
        maximumReceiveTime = try bytes.takeUInt16()
        maximumTransmitOctets = try bytes.takeUInt16()
        maximumTransmitTime = try bytes.takeUInt16()
    }

    func write(to out: inout [UInt8]) {
        out.appendUInt16(maximumReceiveOctets)
        out.appendUInt16(maximumReceiveTime)
        out.appendUInt16(maximumTransmitOctets)
        out.appendUInt16(maximumTransmitTime)
    }
}

/// LL_CONNECTION_PARAM_REQ and LL_CONNECTION_PARAM_RSP: the connection parameters that the sender prefers.
/// Core 6.0, Vol 6, Part B, 2.4.2.16.
public struct ConnectionParameterProposal: Hashable, Sendable {
    /// In steps of 1.25 ms.
    public var minimumIntervalSteps: UInt16
    /// In steps of 1.25 ms.
    public var maximumIntervalSteps: UInt16
    /// Connection events that the peripheral may sleep through.
    public var latencyEvents: UInt16
    /// In steps of 10 ms.
    public var timeoutSteps: UInt16
    /// The interval should be a multiple of this many steps of 1.25 ms; 0 for no preference.
    public var preferredPeriodicity: UInt8
    /// The event counter that the offsets are counted from.
    public var referenceConnectionEventCount: UInt16
    /// Offset0 to Offset5 in steps of 1.25 ms, the best first; 0xFFFF where there is none.
    public var offsets: [6 of UInt16]

    public init(
        range: ConnectionParameterRange,
        preferredPeriodicity: UInt8 = 0,
        referenceConnectionEventCount: UInt16 = 0,
        offsets: [6 of UInt16] = .init(repeating: 0xFFFF)
    ) {
        minimumIntervalSteps = range.minimumInterval.steps
        maximumIntervalSteps = range.maximumInterval.steps
        latencyEvents = range.latency.events
        timeoutSteps = range.supervisionTimeout.steps
        self.preferredPeriodicity = preferredPeriodicity
        self.referenceConnectionEventCount = referenceConnectionEventCount
        self.offsets = offsets
    }

    /// Intervals, latency and timeout; nil where they are not allowed.
    public var range: ConnectionParameterRange? {
        ConnectionParameterRange(
            minimumSteps: minimumIntervalSteps,
            maximumSteps: maximumIntervalSteps,
            latencyEvents: latencyEvents,
            timeoutSteps: timeoutSteps
        )
    }

    init(parsing bytes: inout RawSpan) throws(DecodeError) {
        minimumIntervalSteps = try bytes.takeUInt16()
        maximumIntervalSteps = try bytes.takeUInt16()
        latencyEvents = try bytes.takeUInt16()
        timeoutSteps = try bytes.takeUInt16()
        preferredPeriodicity = try bytes.takeUInt8()
        referenceConnectionEventCount = try bytes.takeUInt16()
        offsets = .init(repeating: 0xFFFF)
        for index in offsets.indices { offsets[index] = try bytes.takeUInt16() }
    }

    func write(to out: inout [UInt8]) {
        out.appendUInt16(minimumIntervalSteps)
        out.appendUInt16(maximumIntervalSteps)
        out.appendUInt16(latencyEvents)
        out.appendUInt16(timeoutSteps)
        out.appendUInt8(preferredPeriodicity)
        out.appendUInt16(referenceConnectionEventCount)
        for index in offsets.indices { out.appendUInt16(offsets[index]) }
    }

    public static func == (left: Self, right: Self) -> Bool {
        left.minimumIntervalSteps == right.minimumIntervalSteps
            && left.maximumIntervalSteps == right.maximumIntervalSteps
            && left.latencyEvents == right.latencyEvents
            && left.timeoutSteps == right.timeoutSteps
            && left.preferredPeriodicity == right.preferredPeriodicity
            && left.referenceConnectionEventCount == right.referenceConnectionEventCount
            && left.offsets.indices.allSatisfy { left.offsets[$0] == right.offsets[$0] }
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(minimumIntervalSteps)
        hasher.combine(maximumIntervalSteps)
        hasher.combine(latencyEvents)
        hasher.combine(timeoutSteps)
        hasher.combine(referenceConnectionEventCount)
    }
}
