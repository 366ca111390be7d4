import BluethroatBluetoothValues
import BluethroatHost
import BluethroatLinkLayer
import BluethroatVirtualTime
import Testing

@testable import BluethroatSimulation

@Suite("Storage that devices of a crowd lend each other")
struct ActionStorageTests {
    @Test("What a device fills and empties the next one has: hardly any storage is made anew")
    func lentStorage() throws {
        let world = World(seed: 1, air: .crowd)
        let ids = (0..<2).map { world.addDevice(named: "advertiser \($0)", application: Recorder()) }
        func change(_ number: Int) throws {
            let parameters = AdvertisingParameters(interval: AdvertisingInterval(steps: 1_636)!)
            try world.perform(on: ids[number]) { host, now, actions throws(OrderError) in
                try? host.stopAdvertising(at: now, into: &actions)
                try host.startAdvertising(parameters, at: now, into: &actions)
            }
        }
        for number in [0, 1, 0, 1] { try change(number) }
        let quietAir = try #require(world.quietAir)
        func places() -> [UnsafeRawPointer?] {
            let spare = quietAir.spareStorage
            return [
                spare.controllerActions.packets.withUnsafeBytes { $0.baseAddress },
                spare.hostActions.packets.withUnsafeBytes { $0.baseAddress },
                spare.hostActions.events.withUnsafeBytes { $0.baseAddress },
            ]
        }
        let before = places()
        #expect(quietAir.spareStorage.controllerActions.packets.capacity > 0)
        #expect(quietAir.spareStorage.hostActions.packets.capacity > 0)
        for number in [0, 1, 0, 1] {
            try change(number)
            #expect(places() == before)
            #expect(ids.allSatisfy { world.device($0)?.state.hostActions.packets.capacity == 0 })
        }
    }
}
