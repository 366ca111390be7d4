import BluethroatPeripheralFutures
import BluethroatTesting
import CoreBluetooth
import Testing

@Suite("A peripheral manager's state", .air)
struct PeripheralManagerStateTests {
    let air = Air.current

    @Test("States are those of CoreBluetooth, and say their name")
    func names() {
        let states: [CBManagerState] = [
            .unauthorized, .unknown, .unsupported, .resetting, .poweredOff, .poweredOn,
        ]
        #expect(
            states.map { ManagerState($0).description }
                == ["unauthorized", "unknown", "unsupported", "resetting", "poweredOff", "poweredOn"]
        )
    }

    @Test("A stream holds the present state at once, and then each change")
    func changes() throws {
        let manager = PeripheralManager(queue: DispatchQueue.main)
        #expect(manager.state == .unknown && !manager.poweredOn && !manager.isAdvertising)
        let changes = manager.whenStateChanges()
        #expect(changes.values == [.unknown])
        var heard: [ManagerState] = []
        changes.onSuccess { heard.append($0) }
        try air.run(until: manager.poweredOn)
        air.switchPower(false)
        air.run(for: .seconds(1))
        #expect(manager.state == .poweredOff)
        air.switchPower(true)
        air.run(for: .seconds(1))
        #expect(changes.values == [.unknown, .poweredOn, .poweredOff, .poweredOn] && heard == changes.values)
    }

    @Test("Each call makes a new stream, and the one before gets nothing more")
    func oneStream() throws {
        let manager = PeripheralManager()
        let first = manager.whenStateChanges()
        try air.run(until: manager.poweredOn)
        let second = manager.whenStateChanges()
        #expect(second.values == [.poweredOn])
        air.switchPower(false)
        air.run(for: .seconds(1))
        #expect(first.values == [.unknown, .poweredOn] && second.values == [.poweredOn, .poweredOff])
    }

    @Test("Without permission the state is unauthorized")
    func unauthorized() throws {
        let manager = PeripheralManager()
        air.app.authorization = .denied
        try air.run(until: manager.state == .unauthorized)
    }

    @Test("What needs Bluetooth fails while it cannot be used, and is not left open")
    func notPoweredOn() throws {
        let manager = PeripheralManager()
        let early = manager.add(MutableService(uuid: "FFF0"))
        #expect(early.completed)
        #expect(throws: PeripheralManagerNotPoweredOn(state: .unknown)) { try air.value(of: early) }
        try air.run(until: manager.poweredOn)
        air.switchPower(false)
        air.run(for: .seconds(1))
        #expect(throws: PeripheralManagerNotPoweredOn(state: .poweredOff)) {
            try air.value(of: manager.startAdvertising("Tag"))
        }
        #expect(PeripheralManagerNotPoweredOn(state: .poweredOff).localizedDescription.contains("poweredOff"))
        air.switchPower(true)
        air.run(for: .seconds(1))
        try air.value(of: manager.startAdvertising("Tag"))
        #expect(air.misuse.isEmpty)
    }

    @Test("A reset makes a new manager, after the call has returned; services stay listed and can be added again")
    func reset() throws {
        let publisher = try Publisher(value: Data([7]))
        try publisher.advertise()
        let changes = publisher.manager.whenStateChanges()
        publisher.manager.reset()
        #expect(publisher.manager.poweredOn && publisher.manager.isAdvertising)
        air.run(for: .zero)
        #expect(!publisher.manager.isAdvertising)
        try air.run(until: changes.count == 2)
        #expect(changes.values == [.poweredOn, .poweredOn])
        #expect(publisher.manager.services.first === publisher.service && publisher.characteristic.value == Data([7]))
        try publisher.finish(publisher.manager.add(publisher.service))
        #expect(publisher.manager.services.count == 1)
        let central = try publisher.centralConnects()
        #expect(try central.read("FFF1") == Data([7]))
    }

    @Test("Who waits for something when a manager is reset hears when it was ordered again")
    func resetKeepsPromises() throws {
        let manager = PeripheralManager()
        try air.run(until: manager.poweredOn)
        let changes = manager.whenStateChanges()
        let service = MutableService(uuid: "FFF0")
        // It comes to that before CoreBluetooth has said anything.
        manager.reset()
        let start = manager.startAdvertising("Tag")
        let added = manager.add(service)
        try air.run(until: changes.count == 2)
        #expect(!start.completed && !added.completed)
        #expect(manager.startAdvertising("Tag") === start && manager.add(service) === added)
        try air.value(of: start)
        try air.value(of: added)
        #expect(manager.isAdvertising && manager.services.count == 1)
    }

    @Test("Invalidated, those who wait are forgotten: their futures are never completed, and new ones are")
    func invalidate() throws {
        let manager = PeripheralManager()
        try air.run(until: manager.poweredOn)
        let changes = manager.whenStateChanges()
        let start = manager.startAdvertising("Tag")
        let restoration = manager.whenStateRestored()
        manager.invalidate()
        air.run(for: .seconds(1))
        #expect(!start.completed && !restoration.completed && changes.values == [.poweredOn])
        #expect(manager.poweredOn && !manager.isAdvertising && manager.whenStateRestored() !== restoration)
        let again = manager.startAdvertising("Tag")
        #expect(again !== start)
        try air.value(of: again)
        #expect(manager.isAdvertising && !start.completed)
    }

    @Test("Getters may be called from the manager's own queue")
    func ownQueue() throws {
        let queue = DispatchQueue(label: "own")
        let manager = PeripheralManager(queue: queue)
        var isAsked = false
        manager.whenStateChanges().onSuccess(context: ImmediateContext()) { state in
            guard state == .poweredOn else { return }
            dispatchPrecondition(condition: .onQueue(queue))
            #expect(manager.poweredOn && !manager.isAdvertising && manager.services.isEmpty)
            _ = manager.add(MutableService(uuid: "FFF0"))
            isAsked = true
        }
        try air.run(until: isAsked && manager.services.count == 1)
    }

    @Test("A service that is withdrawn while Bluetooth is off is not there when it is on", arguments: [true, false])
    func withdrawnWhileOff(all: Bool) throws {
        let publisher = try Publisher(value: Data([7]))
        air.switchPower(false)
        try air.run(until: publisher.manager.state == .poweredOff)
        if all { publisher.manager.removeAllServices() } else { publisher.manager.remove(publisher.service) }
        #expect(publisher.manager.services.isEmpty && air.misuse.isEmpty)
        air.switchPower(true)
        try air.run(until: publisher.manager.poweredOn)
        try publisher.finish(publisher.manager.add(publisher.service))
        let central = try publisher.centralConnects()
        #expect(central.peripheral?.services?.map(\.uuid).filter { $0 == publisher.service.uuid }.count == 1)
        #expect(try central.read("FFF1") == Data([7]))
    }

    @Test("A controller that fails takes subscribers along, and services can be added again")
    func resetting() throws {
        let publisher = try Publisher()
        let central = try publisher.centralConnects()
        try central.subscribe("FFF1")
        #expect(publisher.characteristic.subscribers.count == 1)
        let changes = publisher.manager.whenStateChanges()
        air.resetController()
        try air.run(until: changes.values == [.poweredOn, .resetting, .poweredOn])
        #expect(publisher.characteristic.subscribers.isEmpty && !publisher.characteristic.isUpdating)
        #expect(!publisher.manager.isAdvertising)
        try publisher.finish(publisher.manager.add(publisher.service))
        try publisher.advertise()
    }
}
