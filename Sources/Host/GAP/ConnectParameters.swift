public import BluetoothValues
public import VirtualTime

/// How to look for a device and at what pace to talk to it. Core 6.0, Vol 4, Part E, 7.8.12.
public struct ConnectParameters: Hashable, Sendable {
    public var pace: ConnectionParameterRange
    public var timing: ScanTiming
    public var ownAddress = OwnAddress.usual
    /// Gives up after this time; nil tries until `cancelConnect`.
    public var timeout: TimeSpan?
    /// Whether the connection counts only when the peer has answered.
    ///
    /// A controller tells of a connection when it has sent its request. A peer that has not heard it, as somebody else
    /// spoke at the same moment, says nothing, and after six intervals the connection is gone (error 0x3E). Where this
    /// is set nobody is told of such a connection, and the peer is called again until the time is over. Core 6.0,
    /// Vol 6, Part B, 4.5.
    public var untilAnswered = false

    public init(
        pace: ConnectionParameterRange = .usual,
        timing: ScanTiming = .continuous,
        timeout: TimeSpan? = nil,
        untilAnswered: Bool = false
    ) {
        self.pace = pace
        self.timing = timing
        self.timeout = timeout
        self.untilAnswered = untilAnswered
    }
}

extension ConnectionParameterRange {
    /// 30 to 50 ms, no latency, 5 s: what phones and desktops commonly ask for (Core 6.0, Vol 3, Part C, A,
    /// TGAP(initial_conn_interval_min_central) to TGAP(initial_conn_interval_max_central)).
    public static let usual: Self = {
        guard let range = Self(minimumSteps: 24, maximumSteps: 40, latencyEvents: 0, timeoutSteps: 500) else {
            preconditionFailure("30 to 50 ms with a timeout of 5 s is allowed")
        }
        return range
    }()
}

/// Why an attempt to connect came to nothing.
public enum ConnectFailure: Hashable, Sendable {
    /// `cancelConnect` was called.
    case cancelled
    /// The timeout asked for is over.
    case timeout
    /// The controller refused to try, or tried in vain; `connectionFailedToBeEstablished` when the peer
    /// never answered on the new connection.
    case refused(ControllerError)
    /// The controller failed.
    case controllerFailed
}
