public import BluethroatBluetoothValues
public import BluethroatVirtualTime

/// How to listen for advertisements. Core 6.0, Vol 4, Part E, 7.8.10 and 7.8.11.
public struct ScanParameters: Hashable, Sendable {
    /// Whose advertisements are reported. Core 6.0, Vol 6, Part B, 4.3.3.
    public enum Filter: UInt8, Hashable, Sendable {
        /// Of all devices, without directed ones for other devices.
        case everybody = 0
        /// Those of devices on the filter accept list.
        case listedOnly = 1
    }

    /// Whether scannable advertisers are asked for their scan response.
    public var active: Bool
    public var timing: ScanTiming
    public var ownAddress = OwnAddress.usual
    public var filter = Filter.everybody
    /// Whether the controller reports each advertiser once only.
    public var filtersDuplicates: Bool
    /// Scanning ends by itself after this time; nil goes on until it is stopped.
    public var duration: TimeSpan?

    public init(
        active: Bool = true,
        timing: ScanTiming = .continuous,
        filtersDuplicates: Bool = false,
        duration: TimeSpan? = nil
    ) {
        self.active = active
        self.timing = timing
        self.filtersDuplicates = filtersDuplicates
        self.duration = duration
    }
}

/// How much of the time the receiver listens: `window` out of every `interval`, both 2.5 ms to 10.24 s in
/// steps of 0.625 ms. Core 6.0, Vol 4, Part E, 7.8.10.
public struct ScanTiming: Hashable, Sendable {
    public let intervalSteps: UInt16
    public let windowSteps: UInt16

    /// Nil out of range, or with a window longer than the interval.
    public init?(intervalSteps: UInt16, windowSteps: UInt16) {
        guard (0x0004...0x4000).contains(intervalSteps), (0x0004...intervalSteps).contains(windowSteps) else {
            return nil
        }
        self.intervalSteps = intervalSteps
        self.windowSteps = windowSteps
    }

    private init(exactly steps: UInt16) {
        intervalSteps = steps
        windowSteps = steps
    }

    /// Always listening, changing the channel every 30 ms.
    public static let continuous = Self(exactly: 48)
}

/// Why scanning is over.
public enum ScanEnd: Hashable, Sendable {
    /// `stopScanning` was called.
    case stopped
    /// The duration asked for is over.
    case durationOver
    /// The controller refused to begin.
    case refused(ControllerError)
    /// The controller failed.
    case controllerFailed
}
