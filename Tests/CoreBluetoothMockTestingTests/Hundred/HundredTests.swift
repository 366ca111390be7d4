import CoreBluetoothMock
import CoreBluetoothMockTesting
import Foundation
import Testing

/// A hundred tests as users of the original write them: they know its API and nothing else, wait by sleeping and by callbacks, and
/// would take some minutes by the wall clock. `Scripts/mock-suite` runs them many times and side by side.
@Suite("A hundred tests for the original", .simulation, .recorded)
struct HundredTests {
    let doorbell = Doorbell()

    init() {
        CBMCentralManagerMock.simulatePeripherals([doorbell.spec])
        CBMCentralManagerMock.simulateInitialState(.poweredOn)
    }

    private func readyRemote() async -> DoorbellRemote {
        let remote = DoorbellRemote()
        await ready(remote)
        return remote
    }

    private func ready(_ remote: DoorbellRemote, _ begin: () -> Void = {}) async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            remote.onReady = {
                remote.onReady = nil
                continuation.resume()
            }
            begin()
        }
    }

    /// The error with which the connection ends.
    private func end(_ remote: DoorbellRemote, _ begin: () -> Void) async -> Error? {
        await withCheckedContinuation { continuation in
            remote.onGone = { error in
                remote.onGone = nil
                continuation.resume(returning: error)
            }
            begin()
        }
    }

    private func sleep(_ seconds: Double) async { try? await Task.sleep(nanoseconds: UInt64(seconds * 1_000_000_000)) }

    @Test("Rings come in order, at whatever pace", arguments: 1...10)
    func rings(count: Int) async {
        let remote = await readyRemote()
        var heard: [UInt8?] = []
        remote.onRing = { heard.append($0?.first) }
        for number in 0..<count {
            doorbell.spec.simulateValueUpdate(Data([UInt8(number)]), for: doorbell.bell)
            if number % 2 == 0 { await sleep(Double(count) * 0.1) }
        }
        await sleep(2)
        #expect(heard == (0..<count).map { UInt8($0) })
    }

    @Test("A volume is written, and read again", arguments: 0..<10)
    func volume(number: UInt8) async throws {
        let remote = await readyRemote()
        let peripheral = try #require(remote.peripheral), volume = try #require(remote.volume)
        let written: Error? = await withCheckedContinuation { continuation in
            remote.onWritten = { continuation.resume(returning: $0) }
            peripheral.writeValue(Data([number]), for: volume, type: .withResponse)
        }
        #expect(written == nil)
        await sleep(1 + Double(number) * 0.3)
        let read: Data? = await withCheckedContinuation { continuation in
            remote.onVolume = { value, _ in continuation.resume(returning: value) }
            peripheral.readValue(for: volume)
        }
        #expect(read == Data([number]) && doorbell.delegate.volume == number)
    }

    @Test("A volume that is too loud is refused, and changes nothing", arguments: 11...20)
    func tooLoud(number: UInt8) async throws {
        let remote = await readyRemote()
        let volume = try #require(remote.volume)
        let refused: Error? = await withCheckedContinuation { continuation in
            remote.onWritten = { continuation.resume(returning: $0) }
            remote.peripheral?.writeValue(Data([number]), for: volume, type: .withResponse)
        }
        #expect((refused as? CBMATTError)?.code == .invalidAttributeValueLength)
        await sleep(Double(number) * 0.1)
        #expect(doorbell.delegate.volume == 3)
    }

    @Test("Writes without response come, in order", arguments: 1...10)
    func commands(count: Int) async throws {
        let remote = await readyRemote()
        let peripheral = try #require(remote.peripheral), volume = try #require(remote.volume)
        for number in 0..<count {
            #expect(peripheral.canSendWriteWithoutResponse)
            peripheral.writeValue(Data([UInt8(number)]), for: volume, type: .withoutResponse)
            if number % 3 == 2 { await sleep(0.5) }
        }
        await sleep(1)
        #expect(doorbell.delegate.commands == (0..<count).map { Data([UInt8($0)]) })
    }

    @Test("A reset is a timeout, after which the app comes back", arguments: 0..<10)
    func reset(number: Int) async throws {
        let remote = await readyRemote()
        await sleep(Double(number) * 0.25)
        doorbell.delegate.volume = 8
        let error = await end(remote) { doorbell.spec.simulateReset() }
        #expect((error as? CBMError)?.code == .connectionTimeout && doorbell.delegate.volume == 3)
        await ready(remote) { remote.manager.connect(remote.peripheral!) }
        #expect(doorbell.spec.isConnected)
    }

    @Test("Out of range is a timeout; in range again, an attempt that waits succeeds", arguments: 1...10)
    func range(seconds: Int) async {
        let remote = await readyRemote()
        let error = await end(remote) { doorbell.spec.simulateProximityChange(.outOfRange) }
        #expect((error as? CBMError)?.code == .connectionTimeout)
        remote.manager.connect(remote.peripheral!)
        await sleep(Double(seconds))
        #expect(remote.peripheral?.state == .connecting)
        await ready(remote) { doorbell.spec.simulateProximityChange(seconds % 2 == 0 ? .near : .immediate) }
    }

    @Test("A device that hangs up says so, again and again", arguments: 1...10)
    func hangsUp(times: Int) async {
        let remote = await readyRemote()
        for _ in 0..<times {
            let error = await end(remote) { doorbell.spec.simulateDisconnection() }
            #expect((error as? CBMError)?.code == .peripheralDisconnected)
            await sleep(0.5)
            await ready(remote) { remote.manager.connect(remote.peripheral!) }
        }
    }

    @Test("Bluetooth goes off for a while, and on again", arguments: 1...10)
    func power(halfSeconds: Int) async {
        let remote = await readyRemote()
        CBMCentralManagerMock.simulatePowerOff()
        #expect(remote.manager.state == .poweredOff && remote.peripheral?.state == .disconnected)
        await sleep(Double(halfSeconds) * 0.5)
        await ready(remote) { CBMCentralManagerMock.simulatePowerOn() }
        #expect(remote.manager.state == .poweredOn && doorbell.spec.isConnected)
    }

    @Test("What is out of range is not found, however long one waits, and is when it comes", arguments: 1...10)
    func absence(seconds: Int) async {
        doorbell.spec.simulateProximityChange(.outOfRange)
        let remote = DoorbellRemote()
        var isFound = false
        remote.connects = false
        remote.onFound = { isFound = true }
        await sleep(Double(seconds))
        #expect(!isFound)
        doorbell.spec.simulateProximityChange([.far, .near, .immediate][seconds % 3])
        await sleep(2)
        #expect(isFound && remote.manager.isScanning)
    }

    @Test("Other services are heard of, and found", arguments: 1...10)
    func services(count: Int) async {
        let remote = await readyRemote()
        let new = (0..<count).map { number in
            CBMServiceMock(type: CBMUUID(string: "80\(10 + number)"), primary: true, characteristics: [])
        }
        let gone: [CBMService] = await withCheckedContinuation { continuation in
            remote.onChange = { gone in
                remote.onChange = nil
                continuation.resume(returning: gone)
            }
            doorbell.spec.simulateServiceChange(newName: "Doorbell", newServices: new)
        }
        #expect(gone.map { $0.uuid } == [.doorbell])
        await sleep(1)
        remote.peripheral?.discoverServices(nil)
        await sleep(2)
        #expect(remote.peripheral?.services?.map { $0.uuid } == new.map { $0.uuid })
    }
}
