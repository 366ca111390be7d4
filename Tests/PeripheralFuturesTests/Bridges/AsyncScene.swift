import BluethroatPeripheralFutures
import BluethroatTesting
import CoreBluetooth
import Testing

extension Air {
    /// Runs a task, and the air beside it. A task that is not over by then is cancelled, so that nothing hangs.
    func during<T: Sendable>(
        _ seconds: Int = 20,
        _ body: @escaping @Sendable () async throws -> T
    ) async -> Result<T, any Error> {
        let task = Task { try await body() }
        await run(for: .seconds(seconds))
        task.cancel()
        return await task.result
    }

    /// What a task fails with, as text; nil if it does not.
    func failure<T: Sendable>(of body: @escaping @Sendable () async throws -> T) async -> String? {
        switch await during(20, body) {
        case .success: nil
        case .failure(let error): "\(error)"
        }
    }
}

extension CentralManager {
    /// Finds a peripheral, connects, and finds all that it has, by functions for tasks.
    func explore() async throws -> Peripheral {
        for try await state in async.whenStateChanges() where state == .poweredOn { break }
        for try await peripheral in async.startScanning() {
            for try await _ in peripheral.async.connect() { break }
            try await peripheral.async.discoverAllServices()
            for service in peripheral.services { try await service.async.discoverAllCharacteristics() }
            return peripheral
        }
        throw CancellationError()
    }

    /// One of what is known so far.
    func characteristic(_ uuid: String) throws -> Characteristic {
        try #require(services.flatMap(\.characteristics).first { $0.uuid == CBUUID(string: uuid) })
    }
}
