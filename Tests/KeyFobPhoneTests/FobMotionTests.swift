import BluethroatBluetoothValues
import BluethroatHost
import BluethroatPhoneService
import BluethroatSimulation
import BluethroatVirtualTime
import Testing

@testable import BluethroatKeyFobPhone

@Suite("The accelerometer of the phone's app, and its queue")
struct FobMotionTests {
    @Test(
        "An axis is clipped to one g and cut to a whole number of 127ths",
        arguments: [
            (0, 0), (0.5, 63), (-0.5, -63), (1, 127), (-1, -127), (3, 127), (-3, -127), (0.007, 0), (0.9999, 126),
            (.infinity, 127), (-.infinity, -127), (.nan, 0),
        ] as [(Double, Int8)]
    )
    func encoding(g: Double, byte: Int8) {
        #expect(Accelerometer.encode(g) == UInt8(bitPattern: byte))
    }

    @Test("Any byte but 0 starts it, 15 times a second, changed or not; 0 stops it", arguments: [1, 2, 255] as [UInt8])
    func samples(byte: UInt8) throws {
        let scene = FobScene()
        try scene.connect()
        let handle = try scene.subscribe(0xFFAA)
        scene.touch { $0.tilt(x: 0.5, y: -1, z: 1) }
        #expect(try scene.write([byte], 0xFFA1) == .written)
        #expect(try scene.read(0xFFA1) == .value([1]))
        scene.central.forget()
        let began = scene.world.now
        scene.run(.seconds(10))
        let values = scene.values(handle)
        #expect((149...151).contains(values.count))
        #expect(Set(values) == [[63, 0x81, 127]])
        let last = try #require(scene.central.notifications.last)
        #expect((last.time - began).milliseconds > 9_800)
        #expect(try scene.write([0], 0xFFA1) == .written)
        #expect(try scene.read(0xFFA1) == .value([0]))
        scene.run(.seconds(1))
        scene.central.forget()
        scene.run(.seconds(1))
        #expect(scene.values(handle).isEmpty)
    }

    @Test("A sample is sent as FFAA, FFA3, FFA4, FFA5, each only to those who have subscribed")
    func order() throws {
        let scene = FobScene()
        try scene.connect()
        var handles: [AttributeHandle] = []
        for uuid: BluetoothUUID in [0xFFA5, 0xFFA4, 0xFFA3, 0xFFAA] { handles.insert(try scene.subscribe(uuid), at: 0) }
        scene.touch { $0.tilt(x: 0.1, y: 0.2, z: -0.3) }
        #expect(try scene.write([1], 0xFFA1) == .written)
        scene.run(.seconds(2))
        #expect(try scene.write([0], 0xFFA1) == .written)
        scene.run(.milliseconds(500))
        let heard = scene.central.notifications
        #expect(heard.count >= 4 * 29 && heard.count % 4 == 0)
        for start in stride(from: 0, to: heard.count, by: 4) {
            #expect(heard[start..<start + 4].map(\.handle) == handles)
            #expect(heard[start..<start + 4].map(\.value) == [[12, 25, 0xDA], [12], [25], [0xDA]])
        }
        #expect(scene.fob.sentCount == heard.count)

        let alone = FobScene()
        try alone.connect()
        let y = try alone.subscribe(0xFFA4)
        #expect(try alone.write([1], 0xFFA1) == .written)
        alone.run(.seconds(1))
        #expect(Set(alone.central.notifications.map(\.handle)) == [y])
        #expect(alone.fob.delayedCount == 0)
    }

    @Test("Where the system has no room, items wait in one queue, are counted, and arrive in their order")
    func fullQueue() throws {
        let scene = FobScene { $0.updateWindow = 2 }
        try scene.connect()
        let battery = try scene.subscribe(0x2A19)
        let keys = try scene.subscribe(0xFFE1)
        scene.central.forget()
        scene.world.setLossEverywhere(.always)
        for percent in 0...60 { scene.touch { $0.slide(to: Double(percent)) } }
        scene.touch { $0.touchDown(.right) }
        scene.run(.milliseconds(200))
        let taken = scene.fob.sentCount
        #expect(taken < 62 && scene.fob.delayedCount == 1, "only what is in front has tried")
        scene.world.setLossEverywhere(.never)
        scene.run(.seconds(10))
        #expect(scene.fob.sentCount == 62)
        #expect(scene.fob.delayedCount > 1 && scene.fob.delayedCount <= 62 - 2)
        #expect(scene.values(battery) == (0...60).map { [$0] })
        #expect(scene.values(keys) == [[2]])
        #expect(scene.central.notifications.last?.handle == keys)
    }

    @Test("What waits for a central that is gone keeps nobody else waiting")
    func lostCentral() throws {
        let scene = FobScene { $0.updateWindow = 1 }
        try scene.connect()
        try scene.subscribe(0x2A19)
        scene.goOutOfReach()
        for percent in 0..<100 { scene.touch { $0.slide(to: Double(percent)) } }
        scene.run(.seconds(40))
        scene.comeBack()
        try scene.connect()
        let battery = try scene.subscribe(0x2A19)
        scene.central.forget()
        scene.touch { $0.slide(to: 33) }
        scene.run(.milliseconds(500))
        #expect(scene.values(battery) == [[33]])
        #expect(scene.fob.sentCount == 101)
    }
}
