/// What apps could not do on iOS 6.1, the system of the simulator's time. Each is gone unless it is asked for.
public struct IOS6Limits: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8
    /// An app was not notified when a central disconnected: there is no Link Loss service, and an alert goes on.
    public static let linkLoss = Self(rawValue: 1)
    /// Writes without response did not reach an app, so that the alert level is written with response.
    public static let writeWithoutResponse = Self(rawValue: 2)
    /// The Device Name could not be read.
    public static let deviceName = Self(rawValue: 4)
    /// Of an app with the background mode of peripherals only the first services could be discovered, sometimes three
    /// and sometimes four, in the foreground too. How many is drawn whenever the app comes to the front, goes to the
    /// background, or finds Bluetooth on.
    public static let backgroundServices = Self(rawValue: 8)
    public static let all: Self = [.linkLoss, .writeWithoutResponse, .deviceName, .backgroundServices]
    /// Those of the app as it was published: without the background mode, and so without the defect that comes with it.
    public static let published: Self = [.linkLoss, .writeWithoutResponse, .deviceName]

    public init(rawValue: UInt8) { self.rawValue = rawValue }
}
