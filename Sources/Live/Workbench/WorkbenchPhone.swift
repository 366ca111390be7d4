public import BluethroatBluetoothValues
public import BluethroatSimulation

/// A phone on the workbench: what can be seen of it, and what its person can do with it.
public protocol WorkbenchPhone: AnyObject {
    /// What can be seen of it now.
    func look(in world: World) -> PhoneLook

    /// Switches Bluetooth in the settings.
    func setPower(_ isOn: Bool)

    /// Lights the screen, which shows the apps that it showed before, or darkens it, and they go to the background.
    func setScreen(_ isOn: Bool)

    /// Brings an app to this phase; false if there is no such app.
    func bring(app: Int, to phase: PhoneLook.App.Phase) -> Bool
}

/// Everything that can be seen of a phone from outside of its apps.
public struct PhoneLook: Hashable, Sendable {
    /// An app that is installed.
    public struct App: Hashable, Sendable {
        /// Where it is in its life.
        public enum Phase: String, Hashable, Sendable, CaseIterable {
            case notRunning = "not-running"
            case foreground
            case background
            case suspended
            /// By the system.
            case terminated
            /// By its person.
            case forceQuit = "force-quit"
        }

        /// Which one of the phone's it is, from 0.
        public var number: Int
        public var name: String
        public var phase: Phase

        public init(number: Int, name: String, phase: Phase) {
            self.number = number
            self.name = name
            self.phase = phase
        }
    }

    /// A connection, whichever end of it the phone is.
    public struct Link: Hashable, Sendable {
        public var peer: DeviceAddress
        /// Whether the phone has made the connection.
        public var isCentral: Bool
        public var intervalMilliseconds: Double
        public var isEncrypted: Bool

        public init(peer: DeviceAddress, isCentral: Bool, intervalMilliseconds: Double, isEncrypted: Bool) {
            self.peer = peer
            self.isCentral = isCentral
            self.intervalMilliseconds = intervalMilliseconds
            self.isEncrypted = isEncrypted
        }
    }

    public var address: DeviceAddress?
    /// Whether Bluetooth is on.
    public var isPowered = true
    public var isScreenOn = true
    public var apps: [App] = []
    public var links: [Link] = []

    public init() {}
}
