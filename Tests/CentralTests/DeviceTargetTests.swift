import BluethroatBluetoothValues
import BluethroatEvents
import BluethroatHost
import BluethroatVirtualTime
import Testing

@testable import BluethroatCentral

@Suite("Which device somebody means")
struct DeviceTargetTests {
    private let identity = DeviceAddress("C0:11:22:33:44:55", kind: .random)!
    private let onAir = DeviceAddress("4A:00:00:00:00:01", kind: .random)!

    private func heard(
        _ address: DeviceAddress,
        name: String?,
        isShortened: Bool = false
    ) -> DiscoveryCache.Entry {
        var cache = DiscoveryCache()
        let type: UInt8 = isShortened ? 0x08 : 0x09
        let data: [UInt8] = name.map { [UInt8($0.utf8.count + 1), type] + Array($0.utf8) } ?? []
        let report = AdvertisingReport(kind: .connectable, address: address, data: data, signalStrength: nil)
        return cache.absorb(report, at: .zero).entry
    }

    @Test("Without a bond whoever bears the name or the address")
    func unbonded() throws {
        let entry = heard(onAir, name: "Keyfobdemo")
        func match(_ target: String) -> DeviceTarget.Match {
            DeviceTarget(target).match(entry, identity: nil, bonded: [], isStrict: true)
        }
        #expect(match("Keyfobdemo") == .isMeant)
        #expect(match("4a:00:00:00:00:01") == .isMeant)
        #expect(match("keyfobdemo") == .isAnother)
        #expect(match("C0:11:22:33:44:55") == .isAnother)
    }

    @Test("A name that is shortened on the air is the beginning of the one that is meant; a complete one is not")
    func shortened() throws {
        func match(_ name: String, _ target: String, isShortened: Bool = true) throws -> DeviceTarget.Match {
            let entry = heard(onAir, name: name, isShortened: isShortened)
            return DeviceTarget(target).match(entry, identity: nil, bonded: [], isStrict: true)
        }
        #expect(try match("TI Acceler", "TI Accelerometer") == .isMeant)
        #expect(try match("TI Acceler", "TI Acceler") == .isMeant)
        #expect(try match("TI Acceler", "TI Acc") == .isAnother)
        #expect(try match("TI Acceler", "TI Gyroscope") == .isAnother)
        #expect(try match("TI Acceler", "TI Accelerometer", isShortened: false) == .isAnother)
        #expect(try match("", "TI Accelerometer") == .isAnother)
    }

    @Test("What is not heard is said with what fits the device")
    func hints() {
        func said(_ text: String?) -> String {
            OperationFailure.nothingFound(text.map(DeviceTarget.init), in: .seconds(1)).message
        }
        for fob in ["Keyfobdemo", "TI BLE Keyfob", "78:C5:E5:9B:76:0D"] { #expect(said(fob).contains("right key")) }
        for other in ["TI Accelerometer", "C0:11:22:33:44:55"] {
            #expect(said(other).contains("was not heard in 1 s") && !said(other).lowercased().contains("key fob"))
        }
        #expect(said(nil).contains("no device was heard in 1 s") && !said(nil).contains("fob"))
    }

    @Test("Who mistypes a name reads the names that were heard, harmless ones, and how many more there were")
    func heardInstead() {
        func said(_ names: [String?]) -> String {
            let heard = names.map { self.heard(onAir, name: $0) }
            return OperationFailure.nothingFound(DeviceTarget("keyfobdmo"), in: .seconds(1), heard: heard).message
        }
        #expect(said(["Keyfobdemo"]).contains(#"was not heard in 1 s, but "Keyfobdemo" was; `bluethroat scan`"#))
        #expect(said(["a", nil]).contains(#"but "a", 4A:00:00:00:00:01 were;"#))
        #expect(said(["a", "b", "c", "d", "e"]).contains(#"but "a", "b", "c" and 2 more were;"#))
        #expect(!said(["\u{1B}[2J"]).unicodeScalars.contains { $0.value < 0x20 })
    }

    @Test("A bonded device by its name or identity under any address, with or without a name in what it sends")
    func bonded() throws {
        let entry = heard(onAir, name: nil)
        for target in [DeviceTarget("Keyfobdemo"), DeviceTarget("C0:11:22:33:44:55")] {
            #expect(target.match(entry, identity: identity, bonded: [identity], isStrict: true) == .isMeant)
            #expect(target.match(entry, identity: nil, bonded: [identity], isStrict: true) == .isAnother)
        }
        // A controller that resolves addresses tells the identity itself.
        let resolved = heard(identity, name: nil)
        #expect(DeviceTarget("fob").match(resolved, identity: nil, bonded: [identity], isStrict: true) == .isMeant)
    }

    @Test("Who bears the name of a bonded device is another one, unless somebody wants to pair with it")
    func namesake() throws {
        let entry = heard(onAir, name: "Keyfobdemo")
        let target = DeviceTarget("Keyfobdemo")
        #expect(target.match(entry, identity: nil, bonded: [identity], isStrict: true) == .bearsTheName)
        #expect(target.match(entry, identity: nil, bonded: [identity], isStrict: false) == .isMeant)
        // An address says exactly which.
        #expect(DeviceTarget("4A:00:00:00:00:01").match(entry, identity: nil, bonded: [], isStrict: true) == .isMeant)
    }
}
