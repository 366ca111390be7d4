import BluethroatBluetoothValues
import BluethroatHost
import BluethroatKeyFob
import Testing

@Suite("The key fob's attributes")
struct KeyFobTableTests {
    private func rows(_ options: KeyFobOptions = KeyFobOptions()) throws -> [GATTDatabase.Row] {
        try GATTDatabase(KeyFobTable(options: options).services).rows
    }

    /// `0001 2800 R- 0018`: handle, type, whether it may be read and written on an open link, and the value stored.
    private func listing(_ rows: [GATTDatabase.Row]) -> [String] {
        rows.map { row in
            func access(_ access: AttributeAccess, _ letter: String) -> String {
                !access.isAllowed ? "-" : access.security > .none ? letter.lowercased() : letter
            }
            let value = row.value.map { byte in
                (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }.joined()
            let permissions = access(row.permissions.read, "R") + access(row.permissions.write, "W")
            return "\(row.handle.description.dropFirst(2)) \(row.type) \(permissions) \(value)"
        }
    }

    private func hex(_ text: String) -> String {
        text.utf8.map { String($0, radix: 16, uppercase: true) }.joined()
    }

    @Test("All 73 attributes, handle by handle")
    func listing() throws {
        let expected = [
            "0001 2800 R- 0018",
            "0002 2803 R- 020300002A", "0003 2A00 R- " + hex("TI BLE Keyfob"),
            "0004 2803 R- 020500012A", "0005 2A01 R- 0000",
            "0006 2803 R- 020700022A", "0007 2A02 R- 00",
            "0008 2803 R- 080900032A", "0009 2A03 -w 000000000000",
            "000A 2803 R- 020B00042A", "000B 2A04 R- 5000A0000000E803",
            "000C 2800 R- 0118",
            "000D 2803 R- 200E00052A", "000E 2A05 -- ", "000F 2902 RW 0000",
            "0010 2800 R- 0A18",
            "0011 2803 R- 021200232A", "0012 2A23 R- 0000000000000000",
            "0013 2803 R- 021400242A", "0014 2A24 R- " + hex("Model Number"),
            "0015 2803 R- 021600252A", "0016 2A25 R- " + hex("Serial Number"),
            "0017 2803 R- 021800262A", "0018 2A26 R- " + hex("Firmware Revision"),
            "0019 2803 R- 021A00272A", "001A 2A27 R- " + hex("Hardware Revision"),
            "001B 2803 R- 021C00282A", "001C 2A28 R- " + hex("Software Revision"),
            "001D 2803 R- 021E00292A", "001E 2A29 R- " + hex("Manufacturer Name"),
            "001F 2803 R- 0220002A2A", "0020 2A2A R- FE006578706572696D656E74616C",
            "0021 2803 R- 022200502A", "0022 2A50 R- 010D0000001001",
            "0023 2800 R- 0318", "0024 2803 R- 0A2500062A", "0025 2A06 RW 00",
            "0026 2800 R- 0218", "0027 2803 R- 042800062A", "0028 2A06 -W 00",
            "0029 2800 R- 0418", "002A 2803 R- 122B00072A", "002B 2A07 R- 00", "002C 2902 RW 0000",
            "002D 2800 R- 0F18", "002E 2803 R- 122F00192A", "002F 2A19 R- 00", "0030 2902 RW 0000",
            "0031 2908 R- 0401",
            "0032 2800 R- A0FF",
            "0033 2803 R- 0A3400A1FF", "0034 FFA1 RW 00", "0035 2901 R- " + hex("Accel Enable"),
            "0036 2803 R- 023700A2FF", "0037 FFA2 R- 1400", "0038 2901 R- " + hex("Accel Range"),
            "0039 2803 R- 103A00A3FF", "003A FFA3 -- 00", "003B 2902 RW 0000",
            "003C 2901 R- " + hex("Accel X-Coordinate"),
            "003D 2803 R- 103E00A4FF", "003E FFA4 -- 00", "003F 2902 RW 0000",
            "0040 2901 R- " + hex("Accel Y-Coordinate"),
            "0041 2803 R- 104200A5FF", "0042 FFA5 -- 00", "0043 2902 RW 0000",
            "0044 2901 R- " + hex("Accel Z-Coordinate"),
            "0045 2800 R- E0FF",
            "0046 2803 R- 104700E1FF", "0047 FFE1 -- 00", "0048 2902 RW 0000",
            "0049 2901 R- " + hex("Key Press State"),
        ]
        let found = listing(try rows())
        #expect(found.count == 0x49)
        for (found, expected) in zip(found, expected) { #expect(found == expected) }
        #expect(found.count == expected.count)
    }

    @Test("Firmware 1.1 has TI's own battery service, and no PnP ID; what follows moves up")
    func firmware1_1() throws {
        let found = listing(try rows(KeyFobOptions(firmware: .v1_1)))
        #expect(!found.contains { $0.contains(" 2A50 ") || $0.contains(" 2A19 ") })
        #expect(found[2] == "0003 2A00 R- " + hex("CC2540DK-mini Keyfob"))
        #expect(found[6] == "0007 2A02 RW 00")
        let battery = [
            "002B 2800 R- B0FF",
            "002C 2803 R- 022D00B1FF", "002D FFB1 R- 00", "002E 2901 R- " + hex("Battery Level"),
            "002F 2803 R- 023000B2FF", "0030 FFB2 R- 00", "0031 2901 R- " + hex("Battery State"),
        ]
        #expect(Array(found[0x2A..<0x31]) == battery)
        #expect(found.last == "0049 2901 R- " + hex("Key Press State"))
    }

    @Test("Up to firmware 1.3 strings end with a NUL, and the privacy flag can be written")
    func firmware1_3() throws {
        let found = listing(try rows(KeyFobOptions(firmware: .v1_3)))
        #expect(found[0x13] == "0014 2A24 R- " + hex("Model Number") + "00")
        #expect(found[0x1D] == "001E 2A29 R- " + hex("Manufacturer Name") + "00")
        #expect(found[0x1F] == "0020 2A2A R- FE006578706572696D656E74616C")
        #expect(found[5] == "0006 2803 R- 0A0700022A" && found[6] == "0007 2A02 RW 00")
        #expect(found.count == 0x49)
    }

    @Test("The notified values and the reconnection address can be made readable, at the same handles")
    func readable() throws {
        var options = KeyFobOptions()
        options.notifiedValuesAreReadable = true
        options.reconnectionAddressIsReadable = true
        let found = listing(try rows(options))
        for row in ["003A FFA3 R- 00", "003E FFA4 R- 00", "0042 FFA5 R- 00", "0047 FFE1 R- 00"] {
            #expect(found.contains(row), "\(row)")
        }
        #expect(found[8] == "0009 2A03 Rw 000000000000" && found[7] == "0008 2803 R- 0A0900032A")
    }

    @Test("The System ID is the device address in two halves")
    func systemID() throws {
        let address = try #require(DeviceAddress("78:C5:E5:9B:76:0D", kind: .public))
        #expect(KeyFobTable.systemID(of: address) == [0x0D, 0x76, 0x9B, 0x00, 0x00, 0xE5, 0xC5, 0x78])
    }

    @Test("Several fobs have several addresses, all TI's")
    func addresses() {
        #expect(KeyFobDevice.address().description == "78:C5:E5:9B:76:0D")
        let many = (0..<5_000).map { KeyFobDevice.address(number: $0) }
        #expect(Set(many).count == many.count)
        #expect(many.allSatisfy { $0.kind == .public && $0.value >> 24 == 0x78C5E5 })
    }

    @Test("The advertisement, byte by byte, and the name in the scan response")
    func advertisement() {
        #expect(
            KeyFobAdvertisement.data.bytes
                == [0x02, 0x01, 0x05, 0x07, 0x02, 0x03, 0x18, 0x02, 0x18, 0x04, 0x18]
        )
        #expect(
            KeyFobAdvertisement.scanResponse.bytes
                == [0x0B, 0x09, 0x4B, 0x65, 0x79, 0x66, 0x6F, 0x62, 0x64, 0x65, 0x6D, 0x6F]
        )
    }

    @Test("Fobs with the latest firmware share one table; one with other options has a table of its own")
    func sharedTable() {
        func place(_ table: KeyFobTable) -> UnsafePointer<ServiceDefinition>? {
            table.services.withUnsafeBufferPointer { $0.baseAddress }
        }
        var options = KeyFobOptions()
        #expect(place(KeyFobTable()) == place(KeyFobTable(options: options)))
        options.deviceName = "Another fob"
        #expect(place(KeyFobTable(options: options)) != place(KeyFobTable()))
    }
}
