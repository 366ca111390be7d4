import CoreBluetooth
import HCITransports
import Host
import KeyFob
import PhoneService
import RadioMedium
import Testing

@testable import LivePhones

@Suite("The Bluetooth of a process", .timeLimit(.minutes(1)))
struct ProcessTests {
    @Test("A manager that was told of no phone is on the process's air, with whoever was put there")
    func processDefault() async throws {
        let app = StateWatcher()
        let manager = CBCentralManager(delegate: app, queue: nil)
        try await app.listener.wait(for: "state 5")
        let fob = LiveAir.ofProcess.addDevice(
            named: "fob",
            at: .metres(x: 1),
            host: KeyFobDevice.hostConfiguration(seed: 3),
            application: {
                var options = KeyFobOptions()
                options.advertisesAtStart = true
                return KeyFobDevice(options: options)
            }()
        )
        try await app.listener.wait(for: "discovered Keyfobdemo")
        LiveAir.ofProcess.remove(fob)
        withExtendedLifetime(manager) {}
    }

    @Test("What an app does wrong is a line on standard error, in Apple's words")
    func misuse() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            LivePhone.ofProcess.switchPower(false)
            let manager = CBCentralManager(delegate: nil, queue: nil)
            manager.stopScan()
            // Before anything happens to a phone it carries out what was ordered.
            LivePhone.ofProcess.switchPower(true)
            withExtendedLifetime(manager) {}
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("bluethroat: Phone: API MISUSE: <CBCentralManager: "))
        #expect(text.contains("> can only accept this command while in the powered on state\n"))
    }

    @Test("Its settings come from the environment; what is empty is not set")
    func settings() throws {
        let none = try ProcessSettings(["BLUETHROAT_HCI": "", "PATH": "/bin"])
        #expect(none.controller == nil && none.name == "Phone" && none.bonds == nil)
        let all = try ProcessSettings([
            "BLUETHROAT_HCI": "tcp:127.0.0.1:6402", "BLUETHROAT_NAME": "Fred", "BLUETHROAT_PASSKEY": "000042",
            "BLUETHROAT_BONDS": "/tmp/bonds", "BLUETHROAT_CAPTURE": "a.pcapng", "BLUETHROAT_BTSNOOP": "b.log",
        ])
        #expect(all.controller == .standard && all.name == "Fred" && all.phone.passkey?.value == 42)
        #expect(all.bonds == "/tmp/bonds" && all.pcapng == "a.pcapng" && all.btsnoop == "b.log")
    }

    @Test(
        "What is wrong with them is one line that names the variable",
        arguments: [
            ("BLUETHROAT_HCI", "usb:0"), ("BLUETHROAT_HCI", "nonsense"), ("BLUETHROAT_PASSKEY", "1"),
            ("BLUETHROAT_NAME", String(repeating: "x", count: 249)),
        ]
    )
    func wrong(_ name: String, _ value: String) {
        let error = #expect(throws: ProcessSettingsError.self) { try ProcessSettings([name: value]) }
        #expect(error?.description.hasPrefix("\(name): ") == true)
        #expect(error?.description.contains("\n") == false)
    }
}
