import BluethroatHCIServing
import BluethroatHCITransports
import BluethroatLivePhonesPort
import BluethroatRadioMedium
import BluethroatTesting
import CoreBluetooth
import Synchronization
import Testing

@testable import BluethroatLivePhones

/// What production code stands on, in real time. The same in virtual time is in `CoreBluetoothTests` and `TestingTests`.
@Suite("What production code relies on, in real time", .timeLimit(.minutes(2)))
struct ProductionCodeTests {
    @Test("The server sees subscriptions, reads and writes of both kinds in the order of the calls [G; O]")
    func order() async throws {
        let air = LiveAir(seed: 11)
        let server = AskedApp()
        let publisher = air.addPhone(named: "server").addApp().run { server.begin() }
        try await server.listener.wait(for: "advertising")
        let app = OrderingApp { peripheral, find in
            peripheral.setNotifyValue(true, for: find("AA03"))
            peripheral.setNotifyValue(true, for: find("AA04"))
            peripheral.writeValue(Data([1]), for: find("AA02"), type: .withoutResponse)
            peripheral.readValue(for: find("AA01"))
            peripheral.writeValue(Data([2]), for: find("AA02"), type: .withResponse)
            peripheral.writeValue(Data([3]), for: find("AA02"), type: .withoutResponse)
        }
        let central = air.addPhone(named: "phone", at: .metres(x: 1)).addApp().run { app.begin() }
        try await server.listener.wait(for: "write [3]")
        #expect(
            server.listener.events.map(\.name) == [
                "advertising", "subscribe AA03", "subscribe AA04", "write [1]", "read", "write [2]", "write [3]",
            ]
        )
        withExtendedLifetime((publisher, central)) {}
    }

    @Test("An app that sends one chunk for each call that it is ready, and asks nothing else, goes on to the end [O]")
    func chunkPerCall() async throws {
        let air = LiveAir(seed: 12)
        let server = AskedApp()
        let publisher = air.addPhone(named: "server").addApp().run { server.begin() }
        try await server.listener.wait(for: "advertising")
        let count = Mutex<UInt8>(0)
        let sendNext: (CBPeripheral, OrderingApp.Find) -> Void = { peripheral, find in
            guard
                let number: UInt8 = count.withLock({ count in
                    guard count < 60 else { return nil }
                    count += 1
                    return count
                })
            else { return }
            peripheral.writeValue(Data([number]), for: find("AA02"), type: .withoutResponse)
        }
        let app = OrderingApp(sendNext, onReady: sendNext)
        let central = air.addPhone(named: "phone", at: .metres(x: 1)).addApp().run { app.begin() }
        try await app.listener.wait(for: "ready", times: 60)
        try await server.listener.wait(for: "write [60]")
        #expect(server.listener.events.map(\.name) == ["advertising"] + (1...60).map { "write [\($0)]" })
        withExtendedLifetime((publisher, central)) {}
    }

    @Test(
        "Who is killed ends its connections, unless the port lets its clients vanish [O]",
        arguments: [(false, CBError.Code.peripheralDisconnected), (true, .connectionTimeout)]
    )
    func killed(clientsVanish: Bool, code: CBError.Code) async throws {
        let air = LiveAir(seed: 13)
        try await withPort(on: air, clientsVanish: clientsVanish) { endpoint in
            let process = LiveAir()
            let server = AskedApp()
            let publisher = process.addPhone(named: "server", onController: endpoint, complain: { _ in })
                .addApp().run { server.begin() }
            try await server.listener.wait(for: "advertising")
            let app = OrderingApp { peripheral, find in peripheral.readValue(for: find("AA01")) }
            let central = air.addPhone(named: "phone").addApp().run { app.begin() }
            try await server.listener.wait(for: "read")
            // As the kernel does for a process that is killed: the socket is closed, and nothing was said before.
            process.cutLinks()
            try await app.listener.wait(for: "disconnected \(code.rawValue)")
            withExtendedLifetime((publisher, central)) {}
        }
    }

    @Test("An air that ends has its phones end their connections first [O]")
    func end() async throws {
        let air = LiveAir(seed: 14)
        try await withPort(on: air, clientsVanish: true) { endpoint in
            let process = LiveAir()
            let server = AskedApp()
            let publisher = process.addPhone(named: "server", onController: endpoint).addApp().run { server.begin() }
            try await server.listener.wait(for: "advertising")
            let app = OrderingApp { peripheral, find in peripheral.readValue(for: find("AA01")) }
            let central = air.addPhone(named: "phone").addApp().run { app.begin() }
            try await server.listener.wait(for: "read")
            process.end()
            try await app.listener.wait(for: "disconnected \(CBError.Code.peripheralDisconnected.rawValue)")
            withExtendedLifetime((publisher, central)) {}
        }
    }

    @Test("Who connects again when it is disconnected does not do so while its air ends [O]")
    func reconnecting() async throws {
        let air = LiveAir(seed: 22)
        let (near, far) = (air.add(HeartRateSensor(named: "near")), air.add(HeartRateSensor(named: "far")))
        try await withPort(on: air, clientsVanish: true) { endpoint in
            let process = LiveAir()
            let app = ReturningApp()
            let central = process.addPhone(named: "phone", onController: endpoint).addApp().run { app.begin() }
            try await app.listener.wait(for: "connected", times: 2)
            // Does not acknowledge it: there is time for the other one to be connected anew.
            air.move(far, to: .outOfRange)
            process.end()
            #expect(!near.isConnected && near.connectionCount == 1)
            withExtendedLifetime(central) {}
        }
    }

    @Test("In the next process an app knows a peripheral by the same identifier, another phone by another one [G]")
    func identifiers() async throws {
        let air = LiveAir(seed: 15)
        let server = AskedApp()
        let publisher = air.addPhone(named: "server").addApp().run { server.begin() }
        try await server.listener.wait(for: "advertising")
        var heard: [String] = []
        try await withPort(on: air) { endpoint in
            for name in ["phone", "phone", "other"] {
                // Each has another controller, with another address.
                let process = LiveAir()
                let app = OrderingApp { _, _ in }
                let central = process.addPhone(named: name, onController: endpoint).addApp().run { app.begin() }
                try await app.listener.wait(for: "connected")
                heard += app.listener.events.map(\.name).filter { $0.hasPrefix("discovered ") }
                withExtendedLifetime(central) {}
                process.end()
            }
        }
        #expect(heard.count == 3 && heard[0] == heard[1] && heard[1] != heard[2])
        withExtendedLifetime(publisher) {}
    }

    @Test("The number that identifiers follow from depends on machine, program and phone, and on their borders")
    func machineIdentity() {
        let numbers = [("a", "b", "c"), ("ab", "", "c"), ("a", "bc", ""), ("a", "b", "d"), ("x", "b", "c")].map {
            MachineIdentity.number(machine: $0.0, program: $0.1, phone: $0.2)
        }
        #expect(Set(numbers).count == numbers.count)
        #expect(MachineIdentity.number(ofPhone: "p") == MachineIdentity.number(ofPhone: "p"))
        // What another program computes with HMAC-SHA256.
        #expect(MachineIdentity.number(machine: "machine", program: "program", phone: "phone") == 0x1F1C_1430_E489_364E)
    }

    @Test("A simulated peripheral is the same object on an air in real time: read, written, slow, subscribed to, gone")
    func simulated() async throws {
        let air = LiveAir(seed: 16)
        let thing = SimulatedPeripheral(
            named: "Thing",
            services: [
                SimulatedService(
                    "AA00",
                    characteristics: [
                        SimulatedCharacteristic("AA01", .read, onRead: { Data([7]) }),
                        SimulatedCharacteristic("AA02", [.write, .writeWithoutResponse]),
                        SimulatedCharacteristic("AA03", .notify),
                    ]
                )
            ]
        )
        air.add(thing, at: .near)
        thing.responseDelay = .milliseconds(50)
        let app = OrderingApp { peripheral, find in
            peripheral.readValue(for: find("AA01"))
            peripheral.writeValue(Data([5]), for: find("AA02"), type: .withResponse)
            peripheral.setNotifyValue(true, for: find("AA03"))
        }
        let central = air.addPhone(named: "phone").addApp().run { app.begin() }
        try await app.listener.wait(for: "notifying AA03")
        #expect(thing.writes(to: "AA02") == [Data([5])] && thing.readCount(of: "AA01") == 1)
        #expect(thing.isConnected && thing.subscriberCount(of: "AA03") == 1)
        thing.send([9], of: "AA03")
        try await app.listener.wait(for: "value AA03 [9]")
        #expect(app.listener.events.contains { $0.name == "value AA01 [7]" })
        thing.disconnect()
        try await app.listener.wait(for: "disconnected \(CBError.Code.peripheralDisconnected.rawValue)")
        #expect(thing.connectionCount == 1)
        withExtendedLifetime(central) {}
    }

    @Test("A simulated peripheral fails in real time as it does in virtual time: the second read, the next connection")
    func faults() async throws {
        let air = LiveAir(seed: 23)
        let sensor = air.add(HeartRateSensor())
        let faults = sensor.inject {
            Fault.connection(.next, .ends(after: .milliseconds(600)))
            Fault.read(of: "2A38", .number(2), returns: [9])
        }
        let app = OrderingApp(service: "180D") { peripheral, find in
            for _ in 0..<3 { peripheral.readValue(for: find("2A38")) }
        }
        let central = air.addPhone(named: "phone").addApp().run { app.begin() }
        try await app.listener.wait(for: "disconnected \(CBError.Code.peripheralDisconnected.rawValue)")
        let values = app.listener.events.map(\.name).filter { $0.hasPrefix("value") }
        #expect(values == ["value 2A38 [1]", "value 2A38 [9]", "value 2A38 [1]"])
        #expect(faults.count == 2 && faults.awaited.isEmpty)
        withExtendedLifetime(central) {}
    }

    @Test("MTU and L2CAP channels of a simulated peripheral in real time")
    func channel() async throws {
        let air = LiveAir(seed: 18)
        let thing = SimulatedPeripheral(
            named: "Thing",
            services: [SimulatedService("AA00", characteristics: [SimulatedCharacteristic("AA01", .notify)])],
            maximumMTU: 185
        )
        air.add(thing)
        let psm = thing.listen { channel in channel.onBytes = { [unowned channel] in channel.send($0.reversed()) } }
        let listener = Listener()
        let app = OrderingApp { peripheral, find in
            peripheral.setNotifyValue(true, for: find("AA01"))
        } onNotifying: {
            peripheral in
            // The answer shows that the MTU was exchanged.
            listener.note("\(peripheral.maximumWriteValueLength(for: .withoutResponse)) bytes")
            peripheral.openL2CAPChannel(psm)
        } onChannel: { channel in
            channel.inputStream.open()
            channel.outputStream.open()
            // Not where the app is called: reading waits, since nothing is scheduled.
            DispatchQueue.global().async {
                _ = channel.outputStream.write([1, 2, 3], maxLength: 3)
                var (buffer, bytes) = ([UInt8](repeating: 0, count: 3), [UInt8]())
                while bytes.count < 3 {
                    let count = channel.inputStream.read(&buffer, maxLength: 3)
                    guard count > 0 else { break }
                    bytes += buffer[..<count]
                }
                listener.note("back: \(bytes)")
            }
        }
        let central = air.addPhone(named: "phone").addApp().run { app.begin() }
        try await listener.wait(for: "back: [3, 2, 1]")
        #expect(listener.events.first?.name == "182 bytes")
        #expect(thing.channels.first?.received == Data([1, 2, 3]))
        withExtendedLifetime(central) {}
    }

    @Test("Who scans for a UUID that was made from nothing finds nobody; who has replaced it finds the peripheral [O]")
    func emptyUUID() async throws {
        let air = LiveAir(seed: 19)
        air.add(HeartRateSensor())
        let phone = air.addPhone(named: "phone")
        let (idle, busy) = (OrderingApp(service: nil) { _, _ in }, OrderingApp(service: "180D") { _, _ in })
        let scanning = phone.addApp().run { idle.begin() }
        // The idle one scans first: one that took the UUID for any would have discovered the sensor by the time at which
        // the other one has discovered it, connected to it and found its characteristics.
        try await idle.listener.wait(for: "scanning")
        let managers = (scanning, phone.addApp().run { busy.begin() })
        try await busy.listener.wait(for: "connected")
        #expect(idle.listener.events.map(\.name) == ["scanning"])
        withExtendedLifetime(managers) {}
    }

    @Test(
        "The services of the system are hidden from apps, unless the phone is to show them",
        arguments: [true, false]
    )
    func systemServices(areHidden: Bool) async throws {
        let air = LiveAir(seed: 20)
        air.add(HeartRateSensor())
        var settings = PhoneSettings()
        settings.hidesSystemServices = areHidden
        let app = OrderingApp(service: "180D", discoversAll: true) { _, _ in }
        let central = air.addPhone(named: "phone", settings: settings).addApp().run { app.begin() }
        let all = (areHidden ? [] : ["1800", "1801"]) + ["180D", "180A", "180F"]
        try await app.listener.wait(for: "services \(all)")
        withExtendedLifetime(central) {}
    }

    @Test("Another module hears of a manager's state before its delegate, by a notification")
    func observation() async throws {
        let phone = LiveAir(seed: 21).addPhone(named: "phone")
        let app = StateWatcher()
        let manager = phone.addApp().run { CBCentralManager(delegate: app, queue: DispatchQueue(label: "app")) }
        try await app.listener.wait(for: "state 5")
        let listener = app.listener
        let look: () -> Void = { [unowned manager] in listener.note("seen \(manager.state.rawValue)") }
        let answer = NSMutableDictionary()
        NotificationCenter.default.post(
            name: Notification.Name("BluethroatObserveProperties"),
            object: manager,
            userInfo: ["look": look, "answer": answer]
        )
        phone.switchPower(false)
        try await listener.wait(for: "state 4")
        let names = listener.events.map(\.name)
        let (seen, told) = (names.firstIndex(of: "seen 4"), names.firstIndex(of: "state 4"))
        #expect(try #require(seen) < #require(told))
        (answer["stop"] as? () -> Void)?()
        withExtendedLifetime(manager) {}
    }

    @Test("A heart rate sensor measures by the clock of an air in real time, and is lost when it is carried away")
    func sensor() async throws {
        let air = LiveAir(seed: 17)
        let sensor = air.add(HeartRateSensor(beatsPerMinute: 61))
        sensor.measurementInterval = .milliseconds(50)
        let app = OrderingApp(service: "180D") { peripheral, find in
            peripheral.setNotifyValue(true, for: find("2A37"))
        }
        let central = air.addPhone(named: "phone").addApp().run { app.begin() }
        try await app.listener.wait(for: "value 2A37 [0, 61]", times: 3)
        sensor.beatsPerMinute = 62
        try await app.listener.wait(for: "value 2A37 [0, 62]")
        #expect(sensor.measurementCount >= 4)
        air.move(sensor, to: .outOfRange)
        try await app.listener.wait(for: "disconnected \(CBError.Code.connectionTimeout.rawValue)")
        withExtendedLifetime(central) {}
    }
}

/// Serves controllers on an air while something is done, and ends that whatever comes of it.
private func withPort(
    on air: LiveAir,
    clientsVanish: Bool = false,
    _ body: (HCIEndpoint) async throws -> Void
) async throws {
    let port = try await air.serveControllers(on: HostPort(host: "127.0.0.1", port: 0), clientsVanish: clientsVanish)
    let outcome: Result<Void, any Error>
    do { outcome = .success(try await body(.tcp(port.address))) } catch { outcome = .failure(error) }
    await port.close()
    try outcome.get()
}

/// Connects to all heart rate sensors, and again to those that are lost.
private final class ReturningApp: NSObject, CBCentralManagerDelegate, @unchecked Sendable {
    let listener = Listener()
    /// Used on the manager's queue only.
    private var peripherals: [CBPeripheral] = []

    func begin() -> CBCentralManager { CBCentralManager(delegate: self, queue: DispatchQueue(label: "returning")) }

    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        if central.state == .poweredOn { central.scanForPeripherals(withServices: [CBUUID(string: "180D")]) }
    }

    func centralManager(
        _ central: CBCentralManager,
        didDiscover peripheral: CBPeripheral,
        advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) {
        guard !peripherals.contains(peripheral) else { return }
        peripherals.append(peripheral)
        central.connect(peripheral)
    }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) { listener.note("connected") }

    func centralManager(
        _ central: CBCentralManager,
        didDisconnectPeripheral peripheral: CBPeripheral,
        error: (any Error)?
    ) { central.connect(peripheral) }
}

/// Publishes four characteristics, and notes what it is asked.
final class AskedApp: NSObject, CBPeripheralManagerDelegate, Sendable {
    let listener = Listener()

    func begin() -> CBPeripheralManager { CBPeripheralManager(delegate: self, queue: DispatchQueue(label: "asked")) }

    func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
        guard peripheral.state == .poweredOn else { return }
        func value(
            _ uuid: String,
            _ properties: CBCharacteristicProperties,
            _ permissions: CBAttributePermissions
        ) -> CBMutableCharacteristic {
            CBMutableCharacteristic(
                type: CBUUID(string: uuid),
                properties: properties,
                value: nil,
                permissions: permissions
            )
        }
        let service = CBMutableService(type: CBUUID(string: "AA00"), primary: true)
        service.characteristics = [
            value("AA01", .read, .readable), value("AA02", [.write, .writeWithoutResponse], .writeable),
            value("AA03", .notify, .readable), value("AA04", .indicate, .readable),
        ]
        peripheral.add(service)
        peripheral.startAdvertising([CBAdvertisementDataServiceUUIDsKey: [service.uuid]])
    }

    func peripheralManagerDidStartAdvertising(_ peripheral: CBPeripheralManager, error: (any Error)?) {
        listener.note(error == nil ? "advertising" : "not advertising")
    }

    func peripheralManager(
        _ peripheral: CBPeripheralManager,
        central: CBCentral,
        didSubscribeTo characteristic: CBCharacteristic
    ) { listener.note("subscribe \(characteristic.uuid.uuidString)") }

    func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveRead request: CBATTRequest) {
        listener.note("read")
        request.value = Data([7])
        peripheral.respond(to: request, withResult: .success)
    }

    func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveWrite requests: [CBATTRequest]) {
        for request in requests { listener.note("write \(Array(request.value ?? Data()))") }
        peripheral.respond(to: requests[0], withResult: .success)
    }
}

/// Connects to who has a service, and does what it was made for once it knows all characteristics.
final class OrderingApp: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate, @unchecked Sendable {
    typealias Find = (String) -> CBCharacteristic

    let listener = Listener()
    /// Used on the manager's queue only.
    private var peripheral: CBPeripheral?
    private let work: (CBPeripheral, Find) -> Void
    private let onReady: (CBPeripheral, Find) -> Void
    private let onNotifying: (CBPeripheral) -> Void
    private let onChannel: (CBL2CAPChannel) -> Void
    private var channel: CBL2CAPChannel?

    private var service = CBUUID()
    private let discoversAll: Bool

    init(
        service: String? = "AA00",
        discoversAll: Bool = false,
        _ work: @escaping (CBPeripheral, Find) -> Void,
        onReady: @escaping (CBPeripheral, Find) -> Void = { _, _ in },
        onNotifying: @escaping (CBPeripheral) -> Void = { _ in },
        onChannel: @escaping (CBL2CAPChannel) -> Void = { _ in }
    ) {
        self.discoversAll = discoversAll
        self.onNotifying = onNotifying
        self.onChannel = onChannel
        if let service { self.service = CBUUID(string: service) }
        self.work = work
        self.onReady = onReady
    }

    func begin() -> CBCentralManager { CBCentralManager(delegate: self, queue: DispatchQueue(label: "ordering")) }

    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        guard central.state == .poweredOn else { return }
        central.scanForPeripherals(withServices: [service])
        listener.note("scanning")
    }

    func centralManager(
        _ central: CBCentralManager,
        didDiscover peripheral: CBPeripheral,
        advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) {
        guard self.peripheral == nil else { return }
        self.peripheral = peripheral
        listener.note("discovered \(peripheral.identifier)")
        central.connect(peripheral)
    }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        peripheral.delegate = self
        peripheral.discoverServices(discoversAll ? nil : [service])
    }

    func centralManager(
        _ central: CBCentralManager,
        didDisconnectPeripheral peripheral: CBPeripheral,
        error: (any Error)?
    ) { listener.note("disconnected \((error as NSError?)?.code ?? -1)") }

    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
        listener.note("services \(peripheral.services?.map(\.uuid.uuidString) ?? [])")
        for service in peripheral.services ?? [] { peripheral.discoverCharacteristics(nil, for: service) }
    }

    func peripheral(_ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: (any Error)?) {
        listener.note("connected")
        work(peripheral) { find($0, of: peripheral) }
    }

    func peripheral(
        _ peripheral: CBPeripheral,
        didUpdateValueFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) { listener.note("value \(characteristic.uuid.uuidString) \(Array(characteristic.value ?? Data()))") }

    func peripheral(
        _ peripheral: CBPeripheral,
        didUpdateNotificationStateFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {
        listener.note("notifying \(characteristic.uuid.uuidString)")
        onNotifying(peripheral)
    }

    func peripheral(_ peripheral: CBPeripheral, didOpen channel: CBL2CAPChannel?, error: (any Error)?) {
        self.channel = channel
        if let channel { onChannel(channel) }
    }

    func peripheralIsReady(toSendWriteWithoutResponse peripheral: CBPeripheral) {
        listener.note("ready")
        onReady(peripheral) { find($0, of: peripheral) }
    }

    /// A missing one stops the test's process; it is the test's own service.
    private func find(_ uuid: String, of peripheral: CBPeripheral) -> CBCharacteristic {
        let found = peripheral.services?.flatMap { $0.characteristics ?? [] }
        return found!.first { $0.uuid == CBUUID(string: uuid) }!
    }
}
