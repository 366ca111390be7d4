import BluethroatPhoneService
import CoreBluetooth
import Dispatch
import Foundation
import Synchronization
import Testing

@testable import CoreBluetoothStrangers

@Suite("Where delegates are called")
struct CallbackTests {
    /// Sees on which queue it is called.
    final class QueueChecker: NSObject, CBCentralManagerDelegate, Sendable {
        let queue: DispatchQueue
        let states = Mutex<[Int]>([])
        let done = DispatchSemaphore(value: 0)
        let count: Int

        init(queue: DispatchQueue, count: Int) {
            self.queue = queue
            self.count = count
        }

        func centralManagerDidUpdateState(_ central: CBCentralManager) {
            dispatchPrecondition(condition: .onQueue(queue))
            let seen = states.withLock { states in
                states.append(central.state.rawValue)
                return states.count
            }
            if seen == count { done.signal() }
        }
    }

    @Test("In real time on the manager's queue, in order, each with the state of its moment [H; D; M]")
    func queued() {
        let port = ScriptedPort()
        let queue = DispatchQueue(label: "app")
        let expected = (0..<300).map { 3 + $0 % 3 }
        let delegate = QueueChecker(queue: queue, count: expected.count)
        let manager = CBCentralManager(
            delegate: delegate,
            queue: queue,
            environment: BluetoothEnvironment(port: port)
        )
        for state in expected { port.tell(.state(RadioState(rawValue: state)!)) }
        delegate.done.wait()
        #expect(delegate.states.withLock { $0 } == expected)
        withExtendedLifetime(manager) {}
    }

    @Test("In virtual time at once, on the thread that has the event, with the manager's queue entered")
    func inline() {
        let port = ScriptedPort()
        let queue = DispatchQueue(label: "app")
        let delegate = QueueChecker(queue: queue, count: 1)
        let manager = CBCentralManager(
            delegate: delegate,
            queue: queue,
            environment: BluetoothEnvironment(port: port, delivery: .inline)
        )
        port.tell(.state(.poweredOn))
        #expect(delegate.states.withLock { $0 } == [5])
        withExtendedLifetime(manager) {}
    }

    @Test("An actor whose executor is the manager's queue may assume its isolation in a callback")
    func actors() async {
        let port = ScriptedPort()
        let central = QueueBoundCentral()
        await central.start(in: BluetoothEnvironment(port: port))
        port.tell(.state(.poweredOn))
        #expect(await central.state() == .poweredOn)
    }

    @Test("Code on the main actor is called there when no queue is given [H; D]")
    @MainActor
    func mainActor() async {
        let port = ScriptedPort()
        let model = ScannerViewModel()
        model.start(in: BluetoothEnvironment(port: port))
        port.tell(.state(.poweredOn))
        while !model.isOn { await Task.yield() }
        model.toggle()
        #expect(port.takeOrders().count == 1)
    }

    @Test("Events that come while a delegate is called wait for it, and commands are taken meanwhile")
    func nested() {
        final class Nesting: NSObject, CBCentralManagerDelegate {
            let port: ScriptedPort
            var log: [String] = []

            init(port: ScriptedPort) { self.port = port }

            func centralManagerDidUpdateState(_ central: CBCentralManager) {
                log.append("begin \(central.state.rawValue)")
                if central.state == .poweredOn { port.tell(.state(.poweredOff)) }
                log.append("end \(central.state.rawValue)")
            }
        }
        let port = ScriptedPort()
        let delegate = Nesting(port: port)
        let manager = CBCentralManager(
            delegate: delegate,
            queue: nil,
            environment: BluetoothEnvironment(port: port, delivery: .inline)
        )
        port.tell(.state(.poweredOn))
        #expect(delegate.log == ["begin 5", "end 5", "begin 4", "end 4"])
        withExtendedLifetime(manager) {}
    }
}
