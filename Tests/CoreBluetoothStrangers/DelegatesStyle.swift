// In the manner of libraries that tell many delegates, keep wrappers by their object, and log whatever they meet.
import CoreBluetooth

protocol BeaconDelegate: AnyObject {
    func found(_ peripheral: CBPeripheral)
}

final class DelegatesStyle: NSObject {
    private let delegates = NSHashTable<AnyObject>.weakObjects()
    private let wrappers = NSMapTable<CBUUID, NSString>.strongToStrongObjects()
    private let owners = NSMapTable<AnyObject, NSString>.weakToStrongObjects()

    var count: Int { delegates.count }
    var owned: Int { owners.count }

    func add(_ delegate: any BeaconDelegate) {
        delegates.add(delegate)
        owners.setObject("owner", forKey: delegate)
    }

    func remove(_ delegate: any BeaconDelegate) { delegates.remove(delegate) }

    func tell(_ peripheral: CBPeripheral) {
        for case let delegate as any BeaconDelegate in delegates.allObjects { delegate.found(peripheral) }
    }

    func name(_ uuid: CBUUID, _ name: String) { wrappers.setObject(name as NSString, forKey: uuid) }

    func name(of uuid: CBUUID) -> String? { wrappers.object(forKey: uuid) as String? }

    static func describe(_ error: any Error, _ options: [String: NSNumber]) -> String {
        String(
            format: "%@ failed: %@ (%@)",
            CBUUID(string: "0x180D"),
            error as NSError,
            (options["limit"] ?? NSNumber(value: 0))
        )
    }
}

/// What a program of the command line does at its end.
func runUntilStopped(_ body: @escaping @Sendable () -> Void) {
    DispatchQueue.main.async {
        body()
        CFRunLoopStop(CFRunLoopGetMain())
    }
    CFRunLoopRun()
}
