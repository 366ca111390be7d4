import ArgumentParser
import BluethroatBluetoothValues
import BluethroatCentral
import BluethroatEvents
import BluethroatHCITransports
import BluethroatVirtualTime
import Testing

@testable import bluethroat

@Suite("What can be written on the command line")
struct ArgumentsTests {
    @Test("scan")
    func scan() throws {
        let plain = try #require(try Bluethroat.parseAsRoot(["scan"]) as? Scan)
        #expect(plain.device == nil)
        #expect(plain.timeout == nil)
        #expect(plain.central.hci == .standard)
        let full = try Scan.parse(["Keyfobdemo", "--passive", "--timeout", "0.5", "--hci", "unix:/tmp/hci", "--json"])
        #expect(full.device == .name("Keyfobdemo"))
        #expect(full.passive)
        #expect(full.timeout?.span == .milliseconds(500))
        #expect(full.central.hci == .unix(path: "/tmp/hci"))
        #expect(full.central.json)
    }

    @Test("inspect, read, write and subscribe")
    func centrals() throws {
        #expect(try Inspect.parse(["78:c5:e5:9b:76:0d"]).target.device == .address(0x78C5_E59B_760D))
        #expect(try Read.parse(["fob", "0x0025"]).attribute == .handle(0x0025))
        let write = try Write.parse(["fob", "1802/2A06", "02", "--without-response"])
        #expect(write.attribute == .characteristic(0x2A06, service: 0x1802))
        #expect(try write.form.bytes(of: write.value) == [2])
        #expect(write.withoutResponse)
        let subscribe = try Subscribe.parse(["fob", "FFE1", "2A19", "--count", "3", "--indications"])
        #expect(subscribe.attributes.count == 2)
        #expect(subscribe.count == 3)
        #expect(subscribe.indications)
    }

    @Test("Centrals record their HCI if told where to, those that connect may ask for a PHY, and so does l2cap")
    func capturesAndPHYs() throws {
        let words = ["--capture", "a.pcapng", "--btsnoop", "b.log"]
        let scan = try Scan.parse(words)
        #expect(scan.central.capture == "a.pcapng" && scan.central.btsnoop == "b.log")
        let read = try Read.parse(["fob", "2A19", "--phy", "2m"] + words)
        #expect(read.target.radio.phy == .le2M && read.central.capture == "a.pcapng")
        let listen = try L2CAPCommand.Listen.parse(["--phy", "1m"] + words)
        #expect(listen.radio.phy == .le1M && listen.central.btsnoop == "b.log")
        let connect = try L2CAPCommand.Connect.parse(["fob", "--psm", "0x80", "--phy", "2m"] + words)
        #expect(connect.target.radio.phy == .le2M && connect.central.capture == "a.pcapng")
        #expect(try L2CAPCommand.Listen.parse([]).radio.phy == nil)
        #expect(throws: (any Error).self) { try Scan.parse(["--phy", "2m"]) }
        #expect(throws: (any Error).self) { try Read.parse(["fob", "2A19", "--phy", "coded"]) }
    }

    @Test(
        "Wrong usage is found before anything is done",
        arguments: [
            ["fly"], ["scan", "--sideways"], ["scan", "--timeout", "soon"], ["scan", "--timeout", "0"],
            ["scan", "--timeout", "1e9"], ["scan", "--timeout", "nan"], ["scan", "--hci", "pigeon:coo"], ["inspect"],
            ["read", "fob"], ["read", "fob", "XYZ"], ["write", "fob", "2A06"], ["write", "fob", "2A06", "0"],
            ["write", "fob", "2A06", "300000000000000000000", "--number"], ["subscribe", "fob"],
            ["subscribe", "fob", "FFE1", "--count", "0"],
        ]
    )
    func wrong(arguments: [String]) {
        let error = #expect(throws: (any Error).self) { try Bluethroat.parseAsRoot(arguments) }
        #expect(error.map { Bluethroat.exitCode(for: $0) } != .success)
    }

    @Test("The reason of a transport is part of the message")
    func message() {
        let error = #expect(throws: (any Error).self) { try Scan.parse(["--hci", "tcp:localhost"]) }
        let message = error.map { Scan.message(for: $0) } ?? ""
        #expect(message.contains("localhost has no port"), "\(message)")
    }

    @Test(
        "Values in hexadecimal, as text, as numbers",
        arguments: [
            (ValueForm.hex, "0a1B", [0x0A, 0x1B]), (.hex, "", []), (.hex, "0A 1B", [0x0A, 0x1B]),
            (.text, "hé", [0x68, 0xC3, 0xA9]), (.number, "0", [0]), (.number, "255", [0xFF]), (.number, "-6", [0xFA]),
            (.number, "-129", [0x7F, 0xFF]), (.number, "256", [0, 1]), (.number, "65536", [0, 0, 1, 0]),
            (.number, "4294967296", [0, 0, 0, 0, 1, 0, 0, 0]),
            (.number, "-9223372036854775808", [0, 0, 0, 0, 0, 0, 0, 0x80]),
            (.number, "18446744073709551615", [UInt8](repeating: 0xFF, count: 8)),
            (.number, "9223372036854775808", [0, 0, 0, 0, 0, 0, 0, 0x80]),
        ] as [(ValueForm, String, [UInt8])]
    )
    func values(form: ValueForm, text: String, bytes: [UInt8]) throws {
        #expect(try form.bytes(of: text) == bytes)
    }

    @Test(
        "Values that are not what the flag says",
        arguments: [(ValueForm.hex, "xy"), (.hex, "123"), (.number, "1.5"), (.number, "18446744073709551616")]
    )
    func wrongValues(form: ValueForm, text: String) {
        #expect(throws: InvalidText.self) { try form.bytes(of: text) }
    }
}
