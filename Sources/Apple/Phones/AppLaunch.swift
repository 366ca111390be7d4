/// Why and how an app is launched.
public struct AppLaunch: Hashable, Sendable {
    public enum Reason: Hashable, Sendable {
        /// Its person opens it.
        case person
        /// The phone, since something has happened that managers of the app wait for.
        case bluetooth
        /// The phone, for another reason.
        case system
    }

    public let reason: Reason
    /// The restore identifiers of the central managers for which the phone has kept something.
    public let centrals: [String]
    /// The same of peripheral managers.
    public let peripherals: [String]

    public init(reason: Reason, centrals: [String] = [], peripherals: [String] = []) {
        self.reason = reason
        self.centrals = centrals
        self.peripherals = peripherals
    }

    /// The same under the keys of `UIApplication.LaunchOptionsKey`; empty unless Bluetooth is the reason.
    public var options: [String: [String]] {
        var options: [String: [String]] = [:]
        if !centrals.isEmpty { options["UIApplicationLaunchOptionsBluetoothCentralsKey"] = centrals }
        if !peripherals.isEmpty { options["UIApplicationLaunchOptionsBluetoothPeripheralsKey"] = peripherals }
        return options
    }
}
