import BluethroatPeripheralFutures
import BluethroatTesting
import CoreBluetooth

// An app is an iBeacon while it is on the screen; an app on another phone ranges it, and hears when it has gone.
try withAir { air in
    let group = UUID(uuidString: "5A4BCFCE-174E-4BAC-A814-092E77F6B7E5")!
    let manager = PeripheralManager()
    let started = manager.whenStateChanges()
        .withFilter { $0 == .poweredOn }
        .flatMap { _ in
            manager.startAdvertising(BeaconRegion(proximityUUID: group, identifier: "door", major: 1, minor: 2))
        }
    started.onSuccess { print("a beacon") }
    try air.run(until: manager.isAdvertising)

    let visitor = air.addPhone(named: "visitor", at: .near).addApp().run { BeaconManager() }
    let beacons = visitor.startRangingBeacons(in: BeaconRegion(proximityUUID: group, identifier: "doors"))
    beacons.onSuccess { beacons in
        let texts = beacons.map { "\($0.major ?? 0).\($0.minor ?? 0) \($0.proximity.stringValue)" }
        print("the visitor ranges \(texts)")
    }
    air.run(for: .seconds(3))

    print("the app leaves the screen")
    air.app.enterBackground()
    air.run(for: .seconds(3))
}
