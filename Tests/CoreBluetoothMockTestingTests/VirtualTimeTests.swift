import BluethroatTesting
import CoreBluetoothMock
import CoreBluetoothMockTesting
import Foundation
import Testing

/// Time passes by itself while a test waits.
@Suite("Tests that wait, in virtual time", .simulation)
struct VirtualTimeTests {
    let doorbell = Doorbell()

    init() {
        CBMCentralManagerMock.simulatePeripherals([doorbell.spec])
        CBMCentralManagerMock.simulateInitialState(.poweredOn)
    }

    @Test("A sleep lasts as long as it says, and what should happen meanwhile has")
    func sleep() async throws {
        let remote = DoorbellRemote()
        var isReady = false
        remote.onReady = { isReady = true }
        let start = Air.current.now
        try await Task.sleep(nanoseconds: 2_000_000_000)
        #expect(isReady && Air.current.now - start == .seconds(2))
        var end: Error?
        remote.onGone = { end = $0 }
        doorbell.spec.simulateReset()
        try await Task.sleep(for: .seconds(10))
        #expect((end as? CBMError)?.code == .connectionTimeout && Air.current.now - start == .seconds(12))
    }

    @Test("What an app awaits comes, though nobody says how long to wait")
    func continuation() async {
        let remote = DoorbellRemote()
        await withCheckedContinuation { continuation in remote.onReady = { continuation.resume() } }
        #expect(doorbell.spec.isConnected)
    }

    @Test("Tests side by side have each their own simulation, and the same happens in each", arguments: 0..<50)
    func sideBySide(number: Int) async throws {
        let remote = DoorbellRemote()
        await withCheckedContinuation { continuation in remote.onReady = { continuation.resume() } }
        doorbell.spec.simulateReset()
        try await Task.sleep(for: .seconds(6))
        let digest = Air.current.digest
        #expect(Self.digests.note(digest) == [digest])
    }

    private static let digests = Digests()
}

/// All digests that there have been.
private final class Digests: @unchecked Sendable {
    private let lock = NSLock()
    private var all: Set<String> = []

    func note(_ digest: String) -> Set<String> {
        lock.lock()
        defer { lock.unlock() }
        all.insert(digest)
        return all
    }
}
