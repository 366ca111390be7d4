// In the manner of libraries that test themselves through protocols which Apple's classes are made to conform to, and
// of mocks that stand in for them: delegates that forward everything, types under other names.
import CoreBluetooth

protocol CentralManaging: AnyObject {
    var state: CBManagerState { get }
    var isScanning: Bool { get }
    var delegate: (any CBCentralManagerDelegate)? { get set }
    func scanForPeripherals(withServices serviceUUIDs: [CBUUID]?, options: [String: Any]?)
    func stopScan()
    func connect(_ peripheral: CBPeripheral, options: [String: Any]?)
    func cancelPeripheralConnection(_ peripheral: CBPeripheral)
    func retrievePeripherals(withIdentifiers identifiers: [UUID]) -> [CBPeripheral]
    func retrieveConnectedPeripherals(withServices serviceUUIDs: [CBUUID]) -> [CBPeripheral]
    func registerForConnectionEvents(options: [CBConnectionEventMatchingOption: Any]?)
}

extension CBCentralManager: CentralManaging {}

protocol ServiceInjectable {
    var uuid: CBUUID { get }
    var isPrimary: Bool { get }
    func getCharacteristics() -> [any CharacteristicInjectable]?
}

protocol CharacteristicInjectable {
    var uuid: CBUUID { get }
    var value: Data? { get }
    var isNotifying: Bool { get }
    var properties: CBCharacteristicProperties { get }
}

extension CBCharacteristic: CharacteristicInjectable {}

extension CBService: ServiceInjectable {
    func getCharacteristics() -> [any CharacteristicInjectable]? { characteristics?.map { $0 } }
}

public typealias MockableCentralManager = CBCentralManager
public typealias MockableErrorCode = CBError.Code
public let MockableLocalNameKey = CBAdvertisementDataLocalNameKey

/// Hands every call on, as wrappers do.
final class DelegateWrapper: NSObject, CBCentralManagerDelegate {
    var inner: (any CBCentralManagerDelegate)?
    var states: [CBManagerState] = []
    var disconnected: [(CBPeripheral, (any Error)?)] = []

    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        states.append(central.state)
        inner?.centralManagerDidUpdateState(central)
    }

    func centralManager(_ central: CBCentralManager, willRestoreState dict: [String: Any]) {
        let peripherals = dict[CBCentralManagerRestoredStatePeripheralsKey] as? [CBPeripheral] ?? []
        for peripheral in peripherals where peripheral.state == .connected { peripheral.discoverServices(nil) }
        inner?.centralManager(central, willRestoreState: dict)
    }

    func centralManager(
        _ central: CBCentralManager,
        didDisconnectPeripheral peripheral: CBPeripheral,
        error: (any Error)?
    ) {
        disconnected.append((peripheral, error))
        inner?.centralManager(central, didDisconnectPeripheral: peripheral, error: error)
    }

    #if !os(macOS)
        func centralManager(
            _ central: CBCentralManager,
            connectionEventDidOccur event: CBConnectionEvent,
            for peripheral: CBPeripheral
        ) {
            inner?.centralManager(central, connectionEventDidOccur: event, for: peripheral)
        }
    #endif
}

/// A manager with another look, as some libraries derive one.
class LoggingCentralManager: CBCentralManager, @unchecked Sendable {
    var log: [String] = []

    override func connect(_ peripheral: CBPeripheral, options: [String: Any]? = nil) {
        log.append(String(format: "connect %@ (%d)", peripheral, peripheral.state.rawValue))
        let error = CBError(.unknown) as NSError
        log.append(String(format: "%@: %@ %@", #function, error.domain as NSString, error))
        super.connect(peripheral, options: options)
    }
}

/// How other enumerations are made of ours, old and new.
enum DarwinState: Int {
    case unknown, resetting, unsupported, unauthorized, poweredOff, poweredOn

    init?(_ state: CBManagerState) { self.init(rawValue: unsafeBitCast(state, to: Int.self)) }
}

func describe(_ error: any Error) -> String {
    switch error {
    case CBError.connectionTimeout: return "timeout"
    case CBError.peripheralDisconnected, CBError.notConnected: return "gone"
    case let error as CBATTError where error.code == .insufficientEncryption: return "encrypt"
    case let error as CBATTError:
        switch error.code {
        case .success: return "fine"
        case .invalidHandle, .readNotPermitted, .writeNotPermitted, .invalidPdu: return "refused"
        default: return "att \(error.errorCode)"
        }
    default:
        let error = error as NSError
        return error.domain == CBErrorDomain ? "link \(error.code)" : error.localizedDescription
    }
}

/// From before references back were optional, and from since.
func path(of descriptor: CBDescriptor) -> String {
    let old = descriptor.characteristic.service.peripheral.identifier.uuidString
    guard let characteristic = descriptor.characteristic, let service = characteristic.service else { return old }
    let new = service.peripheral?.identifier.uuidString ?? "-"
    return "\(new)/\(service.uuid)/\(characteristic.uuid)"
}
