public import BluethroatBluetoothValues
public import BluethroatVirtualTime

/// How to look for a device, and the parameters of the connection to it. Core 6.0, Vol 4, Part E, 7.8.12.
public struct ConnectParameters: Hashable, Sendable {
    /// The connection's interval, latency and supervision timeout.
    public var connection: ConnectionParameterRange
    public var timing: ScanTiming
    public var ownAddress = OwnAddress.usual
    /// Gives up after this time; nil tries until `cancelConnect`.
    public var timeout: TimeSpan?
    /// Whether the connection counts only when the peer has answered.
    ///
    /// A controller reports a connection when it has sent its request. A peer that did not receive the request, for
    /// example after a collision, never answers, and after six intervals the connection is lost (error 0x3E). With this
    /// set, the application hears nothing of such a connection, and the host connects again until the timeout. Core
    /// 6.0, Vol 6, Part B, 4.5.
    public var untilAnswered = false

    public init(
        connection: ConnectionParameterRange = .usual,
        timing: ScanTiming = .continuous,
        timeout: TimeSpan? = nil,
        untilAnswered: Bool = false
    ) {
        self.connection = connection
        self.timing = timing
        self.timeout = timeout
        self.untilAnswered = untilAnswered
    }

    @available(*, deprecated, renamed: "connection")
    public var pace: ConnectionParameterRange {
        get { connection }
        set { connection = newValue }
    }

    @available(*, deprecated, renamed: "init(connection:timing:timeout:untilAnswered:)")
    public init(
        pace: ConnectionParameterRange,
        timing: ScanTiming = .continuous,
        timeout: TimeSpan? = nil,
        untilAnswered: Bool = false
    ) {
        self.init(connection: pace, timing: timing, timeout: timeout, untilAnswered: untilAnswered)
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

/// Why an attempt to connect failed.
public enum ConnectFailure: Hashable, Sendable {
    /// `cancelConnect` was called.
    case cancelled
    /// The timeout asked for is over.
    case timeout
    /// The controller refused to try, or failed; `connectionFailedToBeEstablished` when the peer
    /// never answered on the new connection.
    case refused(ControllerError)
    /// The controller failed.
    case controllerFailed
}
