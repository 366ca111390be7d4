import CoreBluetooth
import Testing

@testable import CoreBluetoothStrangers

@Suite("What libraries take for granted besides CoreBluetooth")
struct SmallNamesTests {
    private final class Listener: BeaconDelegate {
        func found(_ peripheral: CBPeripheral) {}
    }

    @Test("A weak table keeps each object once, and only as long as somebody else does")
    func hashTable() {
        let style = DelegatesStyle()
        let listener = Listener()
        do {
            let other = Listener()
            style.add(listener)
            style.add(listener)
            style.add(other)
            #expect(style.count == 2 && style.owned == 2)
            withExtendedLifetime(other) {}
        }
        #expect(style.count == 1 && style.owned == 1)
        style.remove(listener)
        #expect(style.count == 0)
    }

    @Test("A table finds by equality, and a later value takes the place of an earlier one")
    func mapTable() {
        let style = DelegatesStyle()
        style.name(CBUUID(string: "180D"), "heart")
        style.name(CBUUID(string: "0000180D-0000-1000-8000-00805F9B34FB"), "Heart Rate")
        #expect(style.name(of: CBUUID(string: "180D")) == "Heart Rate")
        #expect(style.name(of: CBUUID(string: "180F")) == nil)

        let table = NSMapTable<NSString, NSObject>.strongToWeakObjects()
        var value: NSObject? = NSObject()
        table.setObject(value, forKey: "key")
        #expect(table.object(forKey: "key") === value)
        value = nil
        #expect(table.object(forKey: "key") == nil && table.count == 0)
    }

    @Test("Objects of Foundation and of CoreBluetooth are printed with %@")
    func logging() {
        let text = DelegatesStyle.describe(CBError(.connectionTimeout), ["limit": 7])
        #expect(text.hasPrefix("Heart Rate failed: "))
        #expect(text.contains("CBErrorDomain") && text.contains("6"))
        #expect(text.hasSuffix(" (7)"))
    }
}
