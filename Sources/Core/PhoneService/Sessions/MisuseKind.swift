/// What an app can do that has no effect, or not the one that it wanted. On Apple's systems most of it is a line of the log.
public enum MisuseKind: String, Hashable, Sendable, CaseIterable {
    /// A manager was given a command before its state was `poweredOn`, or after.
    case notPoweredOn
    /// A peripheral was asked for something without a connection.
    case notConnected
    /// A manager was given a peripheral that it has not found, or that has become invalid.
    case unknownPeripheral
    /// A peripheral was asked about an attribute that it does not have, or no longer.
    case unknownAttribute
    /// A write without response was longer than `maximumWriteValueLength`.
    case valueTooLong
    /// A value was written without response that does not offer this.
    case responselessWriteNotOffered
    /// The app let go of a peripheral that it had connected, or wanted to.
    case releasedPeripheral
    /// Something was to be discovered while the peripheral had no delegate.
    case noDelegate
    /// There was something to restore, and no method for it.
    case restorationNotImplemented
    /// State restoration was asked for without the background mode that it needs.
    case restorationNotAllowed
    /// Connection events were asked for of more services than can be watched.
    case tooManyServicesWatched
    /// A request was answered a second time.
    case requestNotAwaited
    /// A service was removed that another one includes.
    case includedServiceRemoved
    /// A stream was read or written before it was ready, which would wait in real time.
    case blockingStream
    /// The app's state or the kind of device has the system ignore what the app wants, or a part of it.
    case ignoredBySystem

    /// Where it is written that this is wrong: Apple's own words, or what developers have published.
    public var source: String {
        switch self {
        case .notPoweredOn:
            "Apple, CBCentralManager: commands are for the state poweredOn; in logs: netguru/BlueSwift#27"
        case .notConnected: "in logs: Polidea/RxBluetoothKit#319, chipweinberger/flutter_blue_plus#432"
        case .unknownPeripheral:
            "Apple, CBManagerState: below poweredOff all peripherals are invalid and must be retrieved again"
        case .unknownAttribute: "Apple, peripheral(_:didModifyServices:): invalidated services are not to be used"
        case .valueTooLong: "Apple, maximumWriteValueLength(for:): the longest value of one write"
        case .responselessWriteNotOffered:
            "in logs, with the write ignored: daphtdazz/WebBLE#4, StarryInternet/CombineCoreBluetooth#11"
        case .releasedPeripheral:
            "in logs: nexussays/ble.net#77, chipweinberger/flutter_blue_plus#400"
        case .noDelegate: "in logs: Polidea/RxBluetoothKit#274, Reedyuk/blue-falcon#146"
        case .restorationNotImplemented, .restorationNotAllowed:
            "Apple, Core Bluetooth Programming Guide: state preservation and restoration"
        case .tooManyServicesWatched: "Apple, CBCentralManager.h: up to four services"
        case .requestNotAwaited: "Apple, respond(to:withResult:): once for each call of the delegate"
        case .includedServiceRemoved: "Apple, remove(_:): services that include it are removed first"
        case .blockingStream: "Apple, Stream Programming Guide: without a ready stream, read and write block"
        case .ignoredBySystem: "Apple, Core Bluetooth Programming Guide: background processing"
        }
    }
}
