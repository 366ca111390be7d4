import BluethroatHCITransports
import BluethroatHost
import BluethroatKeyFob
import BluethroatPhoneService
import BluethroatRadioMedium
import CoreBluetooth
import Logging
import Testing

@testable import BluethroatLivePhones

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

    @Test("What an app does wrong is in the log, in Apple's words: on standard error if no handler was installed")
    func misuse() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            Self.stopScanningWithoutPower()
        }
        let lines = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self).split(separator: "\n")
        let line = lines.first { $0.contains("API MISUSE: <CBCentralManager: ") }
        #expect(line?.contains(" warning bluethroat: phone=Phone ") == true)
        #expect(line?.hasSuffix("> can only accept this command while in the powered on state") == true)
    }

    @Test("A name that a line of the log quotes moves no cursor, and begins no line of its own")
    func quotedNames() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let name = "\u{1B}[2Jred\u{9B}31m\n2026-01-01 error bluethroat: all is lost"
            AirLog.warn("API MISUSE: Cancelling connection for unused peripheral \(name)", phone: "Phone")
            AirLog.fail(name, phone: name)
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(!text.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{9B}" })
        #expect(text.contains("peripheral \u{FFFD}[2Jred\u{FFFD}31m\u{FFFD}2026-01-01 error"))
        #expect(!text.split(separator: "\n").contains { $0.hasPrefix("2026-01-01 error") })
    }

    @Test("A program that installs a log handler has all lines, and nothing is on standard error")
    func logHandler() async {
        let result = await #expect(
            processExitsWith: .success,
            observing: [\.standardErrorContent, \.standardOutputContent]
        ) {
            LoggingSystem.bootstrap { label in StreamLogHandler.standardOutput(label: "host program, \(label)") }
            Self.stopScanningWithoutPower()
        }
        let (output, errors) = (result?.standardOutputContent ?? [], result?.standardErrorContent ?? [])
        #expect(String(decoding: output, as: UTF8.self).contains("host program, bluethroat"))
        #expect(String(decoding: output, as: UTF8.self).contains("API MISUSE: <CBCentralManager: "))
        #expect(!String(decoding: errors, as: UTF8.self).contains("API MISUSE"))
    }

    private static func stopScanningWithoutPower() {
        LivePhone.ofProcess.switchPower(false)
        let manager = CBCentralManager(delegate: nil, queue: nil)
        manager.stopScan()
        // Before anything happens to a phone it carries out what was ordered.
        LivePhone.ofProcess.switchPower(true)
        withExtendedLifetime(manager) {}
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
        #expect(none.backgroundModes.isEmpty && none.restoration == nil)
        let modes = try ProcessSettings([
            "BLUETHROAT_BACKGROUND_MODES": "bluetooth-central, bluetooth-peripheral",
            "BLUETHROAT_RESTORATION": "r.json",
        ])
        #expect(modes.backgroundModes == [.bluetoothCentral, .bluetoothPeripheral] && modes.restoration == "r.json")
        #expect(all.bonds == "/tmp/bonds" && all.pcapng == "a.pcapng" && all.btsnoop == "b.log")
    }

    @Test(
        "What is wrong with them is one line that names the variable",
        arguments: [
            ("BLUETHROAT_HCI", "usb:0"), ("BLUETHROAT_HCI", "nonsense"), ("BLUETHROAT_PASSKEY", "1"),
            ("BLUETHROAT_BACKGROUND_MODES", "bluetooth-periphery"), ("BLUETHROAT_RESTORATION", "r.json"),
            ("BLUETHROAT_NAME", String(repeating: "x", count: 249)),
        ]
    )
    func wrong(_ name: String, _ value: String) {
        let error = #expect(throws: ProcessSettingsError.self) { try ProcessSettings([name: value]) }
        #expect(error?.description.hasPrefix("\(name): ") == true)
        #expect(error?.description.contains("\n") == false)
    }
}
