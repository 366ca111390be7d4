import BluethroatBluetoothValues
import BluethroatKeyFob
import BluethroatVirtualTime
import Testing

@Suite("Firmware versions")
struct KeyFobOptionsTests {
    @Test("The default is the latest firmware with 30.72 s of advertising every 100 ms")
    func defaults() {
        let options = KeyFobOptions()
        #expect(options == KeyFobOptions(firmware: .v1_4))
        #expect(options.deviceName == "TI BLE Keyfob")
        #expect(options.advertisingDuration == .milliseconds(30_720))
        #expect(options.advertisingInterval.span == .milliseconds(100))
        #expect(!options.advertisesAtStart && !options.notifiedValuesAreReadable)
    }

    @Test("As described, it differs from the firmware in four rows", arguments: KeyFobFirmware.allCases)
    func described(firmware: KeyFobFirmware) {
        var options = KeyFobOptions.described(firmware: firmware)
        #expect(options.notifiedValuesAreReadable && options.reconnectionAddressIsReadable)
        #expect(options.enableTakesAnyByte && options.mildAlertLights == .flashing)
        options.notifiedValuesAreReadable = false
        options.reconnectionAddressIsReadable = false
        options.enableTakesAnyByte = false
        options.mildAlertLights = .dark
        #expect(options == KeyFobOptions(firmware: firmware))
    }

    @Test("Pairing waits for the central, wants protection, can only show, and its passkey is 000000")
    func pairing() {
        let pairing = KeyFobOptions().pairing
        #expect(pairing.waitsForRequest && pairing.wantsProtection && pairing.bonds)
        #expect(pairing.passkey == 0 && !pairing.usesSecureConnections && pairing.demand == .nothing)
    }

    @Test("What differs from release to release", arguments: KeyFobFirmware.allCases)
    func releases(firmware: KeyFobFirmware) {
        let options = KeyFobOptions(firmware: firmware)
        let first = firmware == .v1_1
        let early = first || firmware == .v1_2
        let late = firmware == .v1_3_2 || firmware == .v1_4
        #expect(options.deviceName == (early ? "CC2540DK-mini Keyfob" : "TI BLE Keyfob"))
        #expect(options.batteryService == (first ? .custom : .assigned))
        #expect(options.hasPnPID == !first)
        #expect(options.stringsEndWithNUL == (firmware != .v1_4))
        #expect(options.privacyFlagIsWritable == !late)
        #expect(options.requestsConnectionParameters == late)
        #expect(options.showsAdvertising == !early)
        #expect(options.connectionEndStopsAccelerometer == !early)
        #expect(options.advertisingDuration == .milliseconds(30_720))
        #expect(options.attMTU == 23)
    }
}
