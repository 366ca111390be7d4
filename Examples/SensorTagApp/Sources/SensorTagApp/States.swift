public import BluethroatPeripheralFutures
import CoreBluetooth

/// Manager states: what an app does when Bluetooth comes and goes.
public final class States {
    public enum AppError: Error {
        case invalidState
        case resetting
        case poweredOff
        case unsupported
        case unauthorized
    }

    public let manager: PeripheralManager
    /// What there was to see, one after the other.
    public private(set) var seen: [String] = [] { didSet { said(seen.last ?? "") } }
    /// Told of each as it comes. (A second call of `whenStateChanges` would silence the first.)
    public var said: (String) -> Void = { _ in }

    public init() {
        manager = PeripheralManager()
        let ready = manager.whenStateChanges().map { state -> Void in
            switch state {
            case .poweredOn: return
            case .poweredOff: throw AppError.poweredOff
            case .resetting: throw AppError.resetting
            case .unsupported: throw AppError.unsupported
            case .unauthorized: throw AppError.unauthorized
            case .unknown: throw AppError.invalidState
            }
        }
        ready.onSuccess { [weak self] in self?.seen.append("ready") }
        ready.onFailure { [weak self] error in
            guard let self else { return }
            switch error {
            case AppError.poweredOff: seen.append("switch Bluetooth on")
            case AppError.resetting: seen.append("a moment, please")
            case AppError.unsupported: seen.append("no Bluetooth here")
            case AppError.unauthorized: seen.append("allow Bluetooth in the settings")
            default: break
            }
        }
    }
}
