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

    @Test("What hangs on an object is found by its key, replaced, taken away, and let go of with the object")
    func associated() {
        let one = NSObject(), other = NSObject()
        one.keeper = other
        #expect(one.keeper === other && other.keeper == nil)
        weak var seen: NSObject?
        do {
            let passing = NSObject(), attachment = NSObject()
            passing.attachment = attachment
            one.keeper = attachment
            seen = attachment
            #expect(passing.attachment === attachment && one.keeper === attachment)
        }
        // Something new is hung on an object, and what hung on those that are gone goes.
        other.attachment = one
        #expect(seen == nil && one.keeper == nil)
        objc_removeAssociatedObjects(other)
        #expect(other.attachment == nil)
        // Objects may end inside of this, and ask again.
        final class Asker: NSObject {
            let other: NSObject
            init(_ other: NSObject) { self.other = other }
            deinit { other.attachment = nil }
        }
        one.attachment = Asker(other)
        one.attachment = nil
        #expect(one.attachment == nil)
    }

    @Test("The order of bytes is swapped as on every machine that counts from the little end")
    func swapping() {
        #expect(SwappingStyle.rate(in: Data([1, 0x2C, 0x01])) == 300 && SwappingStyle.rate(in: Data([0, 72])) == 72)
        #expect(SwappingStyle.major(in: Data([0, 0, 1, 2])) == 258)
    }
}
