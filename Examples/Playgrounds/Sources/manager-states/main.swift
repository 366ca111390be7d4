import BluethroatPeripheralFutures
import BluethroatTesting
import CoreBluetooth

// Bluetooth is switched off and on, its controller fails, and the app may not use it any more.
enum AppError: Error { case poweredOff, resetting, unauthorized, unsupported, unknown }

withAir { air in
    let manager = PeripheralManager()
    let ready = manager.whenStateChanges().map { state in
        switch state {
        case .poweredOn: return
        case .poweredOff: throw AppError.poweredOff
        case .resetting: throw AppError.resetting
        case .unauthorized: throw AppError.unauthorized
        case .unsupported: throw AppError.unsupported
        case .unknown: throw AppError.unknown
        }
    }
    ready.onSuccess { print("ready") }
    ready.onFailure { error in print("not ready: \(error)") }

    air.run(for: .seconds(1))
    print("its person switches Bluetooth off, and on")
    air.switchPower(false)
    air.run(for: .seconds(1))
    air.switchPower(true)
    air.run(for: .seconds(1))
    print("the controller fails")
    air.resetController()
    air.run(for: .seconds(1))
    print("its person takes the permission away")
    air.app.authorization = .denied
    air.run(for: .seconds(1))
}
