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

    private func readyRemote(queue: DispatchQueue? = nil) async -> DoorbellRemote {
        let remote = DoorbellRemote(queue: queue)
        await withCheckedContinuation { continuation in remote.onReady = { continuation.resume() } }
        return remote
    }

    @Test("Twenty writes without response are taken at once, more when the app is called, and all come in order")
    func twentyWrites() async throws {
        let remote = await readyRemote()
        let peripheral = try #require(remote.peripheral), volume = try #require(remote.volume)
        var sent: UInt8 = 0
        func fill() {
            while peripheral.canSendWriteWithoutResponse, sent < 50 {
                peripheral.writeValue(Data([sent]), for: volume, type: .withoutResponse)
                sent += 1
            }
        }
        fill()
        #expect(sent == 20 && !peripheral.canSendWriteWithoutResponse && doorbell.delegate.commands.isEmpty)
        await withCheckedContinuation { continuation in
            remote.onCanSend = {
                #expect(peripheral.canSendWriteWithoutResponse)
                fill()
                guard sent == 50 else { return }
                remote.onCanSend = nil
                continuation.resume()
            }
        }
        try await Task.sleep(for: .seconds(2))
        #expect(doorbell.delegate.commands == (0..<50).map { Data([$0]) })
    }

    @Test("Time waits for an app that hops through queues of its own, if the air is told to wait")
    func hops() async throws {
        Air.current.waitsForQueues = .milliseconds(100)
        let clock = Air.current.clock
        let queue = DispatchQueue(label: "another of the app's")
        let remote = await readyRemote(queue: DispatchQueue(label: "the manager's"))
        // As in an app, one queue after the other uses them.
        nonisolated(unsafe) let peripheral = try #require(remote.peripheral)
        let volume = try #require(remote.volume)
        let times: [AirClock.Instant] = await withCheckedContinuation { continuation in
            nonisolated(unsafe) var heard = clock.now, ordered = clock.now
            remote.onRing = { _ in
                heard = clock.now
                queue.async {
                    ordered = clock.now
                    peripheral.readValue(for: volume)
                }
            }
            remote.onVolume = { _, _ in continuation.resume(returning: [heard, ordered]) }
            doorbell.spec.simulateValueUpdate(Data([1]), for: doorbell.bell)
        }
        #expect(times[0] == times[1], "the order came at the instant of the call")
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
