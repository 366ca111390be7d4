public import BluethroatVirtualTime

/// Time between anchor points of a connection, 7.5 ms to 4 s in steps of 1.25 ms. Core 6.0, Vol 6, Part B, 4.5.1.
public struct ConnectionInterval: Hashable, Comparable, Sendable {
    public let steps: UInt16

    @inlinable
    public init?(steps: UInt16) {
        guard (6...3200).contains(steps) else { return nil }
        self.steps = steps
    }

    @inlinable
    public var span: TimeSpan { .microseconds(1_250 * Int64(steps)) }

    @inlinable
    public static func < (left: Self, right: Self) -> Bool { left.steps < right.steps }
}

/// Connection events a peripheral may sleep through, 0 to 499. Core 6.0, Vol 6, Part B, 4.5.1.
public struct PeripheralLatency: Hashable, Sendable {
    public let events: UInt16

    @inlinable
    public init?(events: UInt16) {
        guard events <= 499 else { return nil }
        self.events = events
    }

    public static let none = Self(exactly: 0)

    private init(exactly events: UInt16) { self.events = events }
}

/// How long a connection lives without a valid packet, 100 ms to 32 s in steps of 10 ms. Core 6.0, Vol 6, Part B, 4.5.2.
public struct SupervisionTimeout: Hashable, Sendable {
    public let steps: UInt16

    @inlinable
    public init?(steps: UInt16) {
        guard (10...3200).contains(steps) else { return nil }
        self.steps = steps
    }

    @inlinable
    public var span: TimeSpan { .milliseconds(10 * Int64(steps)) }
}

/// The three parameters of a connection, together since one rule binds them.
public struct ConnectionParameters: Hashable, Sendable {
    public let interval: ConnectionInterval
    public let latency: PeripheralLatency
    public let supervisionTimeout: SupervisionTimeout

    /// Nil where the timeout is not longer than two effective intervals:
    /// `timeout > (1 + latency) * interval * 2` (Core 6.0, Vol 4, Part E, 7.8.12).
    public init?(interval: ConnectionInterval, latency: PeripheralLatency, supervisionTimeout: SupervisionTimeout) {
        guard supervisionTimeout.span > interval.span * (1 + Int64(latency.events)) * 2 else { return nil }
        self.interval = interval
        self.latency = latency
        self.supervisionTimeout = supervisionTimeout
    }

    /// The same from steps of 1.25 ms, events, and steps of 10 ms; nil where any is out of range.
    public init?(intervalSteps: UInt16, latencyEvents: UInt16, timeoutSteps: UInt16) {
        guard let interval = ConnectionInterval(steps: intervalSteps),
            let latency = PeripheralLatency(events: latencyEvents),
            let timeout = SupervisionTimeout(steps: timeoutSteps)
        else { return nil }
        self.init(interval: interval, latency: latency, supervisionTimeout: timeout)
    }
}

/// The connection parameters that a device prefers: a range of intervals, a latency and a timeout.
public struct ConnectionParameterRange: Hashable, Sendable {
    public let minimumInterval: ConnectionInterval
    public let maximumInterval: ConnectionInterval
    public let latency: PeripheralLatency
    public let supervisionTimeout: SupervisionTimeout

    /// Nil where the interval's bounds are swapped or the timeout is too short for the longest interval.
    public init?(
        minimumInterval: ConnectionInterval,
        maximumInterval: ConnectionInterval,
        latency: PeripheralLatency,
        supervisionTimeout: SupervisionTimeout
    ) {
        guard minimumInterval <= maximumInterval,
            ConnectionParameters(interval: maximumInterval, latency: latency, supervisionTimeout: supervisionTimeout)
                != nil
        else { return nil }
        self.minimumInterval = minimumInterval
        self.maximumInterval = maximumInterval
        self.latency = latency
        self.supervisionTimeout = supervisionTimeout
    }

    /// The same from steps of 1.25 ms, events, and steps of 10 ms; nil where any is out of range.
    public init?(minimumSteps: UInt16, maximumSteps: UInt16, latencyEvents: UInt16, timeoutSteps: UInt16) {
        guard let minimum = ConnectionInterval(steps: minimumSteps),
            let maximum = ConnectionInterval(steps: maximumSteps),
            let latency = PeripheralLatency(events: latencyEvents),
            let timeout = SupervisionTimeout(steps: timeoutSteps)
        else { return nil }
        self.init(
            minimumInterval: minimum,
            maximumInterval: maximum,
            latency: latency,
            supervisionTimeout: timeout
        )
    }

    /// Whether a connection's present parameters satisfy the preference.
    public func allows(_ parameters: ConnectionParameters) -> Bool {
        parameters.interval >= minimumInterval && parameters.interval <= maximumInterval
            && parameters.latency == latency && parameters.supervisionTimeout == supervisionTimeout
    }
}

/// Time between advertising events without the random delay, 20 ms to 10.24 s in steps of 0.625 ms.
/// Core 6.0, Vol 6, Part B, 4.4.2.2; the HCI range of the legacy commands (Vol 4, Part E, 7.8.5).
public struct AdvertisingInterval: Hashable, Comparable, Sendable {
    public let steps: UInt16

    @inlinable
    public init?(steps: UInt16) {
        guard (0x0020...0x4000).contains(steps) else { return nil }
        self.steps = steps
    }

    @inlinable
    public var span: TimeSpan { .microseconds(625 * Int64(steps)) }

    @inlinable
    public static func < (left: Self, right: Self) -> Bool { left.steps < right.steps }
}
