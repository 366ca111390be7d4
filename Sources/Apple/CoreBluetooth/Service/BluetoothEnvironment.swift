public import BluethroatAppEnvironment
public import BluethroatPhoneService
private import BluethroatWeakLinkHooks
private import Synchronization

/// What a manager finds when it is made: the Bluetooth service of a phone, as one app on that phone sees it, and how
/// the app is called back.
///
/// A manager takes the environment that its initialiser was given, else the one of the current task, else that of the
/// process; and it keeps it, wherever it is used later.
public struct BluetoothEnvironment: Sendable {
    /// The environment of the current task. A test binds one for each app that it runs:
    /// `BluetoothEnvironment.$current.withValue(phone.app) { … }`.
    @TaskLocal
    public static var current: BluetoothEnvironment?

    /// The environment of managers for which nothing else was said; set it before the first of them is made. Nil means
    /// the one that the program has been linked with, which is made when it is first needed.
    public static var processDefault: BluetoothEnvironment? {
        get { defaultEnvironment.withLock { $0 } }
        set { defaultEnvironment.withLock { $0 = newValue } }
    }

    /// In one block, which all managers of an app share.
    private final class Block: Sendable {
        let port: any ServicePort
        let delivery: CallbackDelivery
        let clock: AppClock

        init(port: any ServicePort, delivery: CallbackDelivery, clock: AppClock) {
            self.port = port
            self.delivery = delivery
            self.clock = clock
        }
    }

    private let block: Block

    /// The way to the phone.
    public var port: any ServicePort { block.port }
    public var delivery: CallbackDelivery { block.delivery }
    /// The time that passes there.
    public var clock: AppClock { block.clock }

    public init(port: any ServicePort, delivery: CallbackDelivery = .queued, clock: AppClock = .real) {
        block = Block(port: port, delivery: delivery, clock: clock)
    }

    /// A machine without Bluetooth: the state is `unsupported`, and nothing ever happens.
    public static var withoutBluetooth: BluetoothEnvironment { BluetoothEnvironment(port: NoBluetooth()) }

    /// The environment of a manager that was given none.
    static var inherited: BluetoothEnvironment { current ?? processDefault ?? linkedEnvironment ?? .withoutBluetooth }

    /// What a program has been linked with says here what there is.
    package static func provide(_ environment: BluetoothEnvironment) {
        providedEnvironment.withLock { $0 = environment }
    }
}

/// How an app's delegates are called.
public enum CallbackDelivery: Hashable, Sendable {
    /// On the queue that the manager was made with, when it gets to it; nil means the main queue. This is real life.
    case queued
    /// At once, at the instant of virtual time at which the phone has the event, on the thread that runs the world. A
    /// queue that the manager was made with is entered for it, so that the app finds itself where it expects to be.
    case inline
}

private let defaultEnvironment = Mutex<BluetoothEnvironment?>(nil)
private let providedEnvironment = Mutex<BluetoothEnvironment?>(nil)

/// The Bluetooth that the program has been linked with, asked for once, by whichever thread needs it first.
private let linkedEnvironment: BluetoothEnvironment? = {
    bluethroat_ask_for_process_default()
    return providedEnvironment.withLock { $0 }
}()
