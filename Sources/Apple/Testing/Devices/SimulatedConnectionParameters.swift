import BluethroatBluetoothValues

/// The connection parameters that a simulated peripheral asks its central for. A phone grants what the Core Specification
/// allows.
///
/// A longer interval saves the battery of a real device, and time where it is simulated.
public struct SimulatedConnectionParameters: Hashable, Sendable {
    /// Between two connection events, 7.5 ms to 4 s.
    public var interval: ClosedRange<Duration>
    /// How many connection events in a row the peripheral may leave out, 0 to 499.
    public var latency: Int
    /// After how long without a packet the connection is lost, 100 ms to 32 s.
    public var timeout: Duration
    /// How long after the connection it asks.
    public var delay: Duration

    public init(
        interval: ClosedRange<Duration>,
        latency: Int = 0,
        timeout: Duration = .seconds(4),
        delay: Duration = .seconds(5)
    ) {
        self.interval = interval
        self.latency = latency
        self.timeout = timeout
        self.delay = delay
    }

    var range: ConnectionParameterRange {
        let step = Duration.microseconds(1_250)
        guard
            let range = ConnectionParameterRange(
                minimumSteps: interval.lowerBound.steps(of: step),
                maximumSteps: interval.upperBound.steps(of: step),
                latencyEvents: UInt16(clamping: latency),
                timeoutSteps: timeout.steps(of: .milliseconds(10))
            )
        else {
            preconditionFailure(
                "connection parameters have an interval of 7.5 ms to 4 s, a latency up to 499 and a timeout of 100 ms to 32 s "
                    + "that is longer than two intervals with their latency, unlike \(self)"
            )
        }
        return range
    }
}
