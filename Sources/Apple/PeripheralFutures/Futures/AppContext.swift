internal import BluethroatAppEnvironment
internal import CoreBluetooth
internal import Foundation

/// Where code lives: on which phone, and by which `AppClock`. Futures and managers keep the one in which they were made,
/// so that what they call later is called there.
struct AppContext: Sendable {
    #if os(Linux)
        private let environment: BluetoothEnvironment?

        static var current: AppContext { AppContext(environment: BluetoothEnvironment.current) }

        /// Whether nothing is known of a phone.
        var isNowhere: Bool { environment == nil }

        /// Whether a queue is where code runs now, so that it need not be entered.
        func isEntered(_ queue: DispatchQueue) -> Bool { environment?.isEntered(queue) ?? false }

        var now: Date { (environment?.clock ?? .real).date }

        /// Does something there: what it makes is there, too.
        func enter(_ action: () -> Void) {
            guard let environment else { return action() }
            BluetoothEnvironment.$current.withValue(environment, operation: action)
        }

        /// Has something done on a queue after so many seconds, never before this returns.
        func call(after seconds: TimeInterval = 0, on queue: DispatchQueue, _ action: @escaping () -> Void) {
            guard seconds < .infinity else { return }
            let action = Unchecked(value: action)
            if let environment {
                environment.call(after: seconds, on: queue) { action.value() }
            } else {
                AppClock.queue(queue).call(after: seconds) { action.value() }
            }
        }

        /// A manager that is there.
        func makeCentralManager(
            _ delegate: any CBCentralManagerDelegate,
            on queue: DispatchQueue,
            _ options: [String: Any]?
        ) -> CBCentralManager {
            guard let environment else { return CBCentralManager(delegate: delegate, queue: queue, options: options) }
            return CBCentralManager(delegate: delegate, queue: queue, options: options, environment: environment)
        }

        /// A manager that is there.
        func makePeripheralManager(
            _ delegate: any CBPeripheralManagerDelegate,
            on queue: DispatchQueue,
            _ options: [String: Any]?
        ) -> CBPeripheralManager {
            guard let environment else {
                return CBPeripheralManager(delegate: delegate, queue: queue, options: options)
            }
            return CBPeripheralManager(delegate: delegate, queue: queue, options: options, environment: environment)
        }
    #else
        static var current: AppContext { AppContext() }

        var isNowhere: Bool { true }
        func isEntered(_ queue: DispatchQueue) -> Bool { false }
        var now: Date { AppClock.real.date }

        func enter(_ action: () -> Void) { action() }

        func call(after seconds: TimeInterval = 0, on queue: DispatchQueue, _ action: @escaping () -> Void) {
            guard seconds < .infinity else { return }
            let action = Unchecked(value: action)
            AppClock.queue(queue).call(after: seconds) { action.value() }
        }

        func makeCentralManager(
            _ delegate: any CBCentralManagerDelegate,
            on queue: DispatchQueue,
            _ options: [String: Any]?
        ) -> CBCentralManager { CBCentralManager(delegate: delegate, queue: queue, options: options) }

        func makePeripheralManager(
            _ delegate: any CBPeripheralManagerDelegate,
            on queue: DispatchQueue,
            _ options: [String: Any]?
        ) -> CBPeripheralManager { CBPeripheralManager(delegate: delegate, queue: queue, options: options) }
    #endif
}
