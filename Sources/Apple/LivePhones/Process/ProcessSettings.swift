import BluethroatBluetoothValues
import BluethroatHCITransports
import BluethroatHost
import BluethroatPhoneService

/// What the environment of the process says about its Bluetooth.
struct ProcessSettings: Equatable {
    /// Where the controller is; nil for an air in this process.
    var controller: HCIEndpoint?
    /// What the phone is called.
    var name = "Phone"
    /// What is typed where a peer shows six digits.
    var passkey: Passkey?
    /// What the app may do in the background, as the `Info.plist` of an app says it.
    var backgroundModes: BackgroundModes = []
    /// The file in which it is kept what peripheral managers want to be restored.
    var restoration: String?
    /// The file in which bonds are kept.
    var bonds: String?
    var pcapng: String?
    var btsnoop: String?

    /// Reads them. The error says which is wrong and what to write instead.
    init(_ environment: [String: String]) throws(ProcessSettingsError) {
        func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        if let text = value("BLUETHROAT_HCI") {
            do throws(HCIEndpointError) {
                controller = try HCIEndpoint(parsing: text)
            } catch {
                throw ProcessSettingsError(description: "BLUETHROAT_HCI: \(error)")
            }
        }
        if let text = value("BLUETHROAT_NAME") {
            guard text.utf8.count <= 248 else {
                throw ProcessSettingsError(description: "BLUETHROAT_NAME: a name has at most 248 bytes")
            }
            name = text
        }
        if let text = value("BLUETHROAT_PASSKEY") {
            guard let passkey = Passkey(digits: text) else {
                throw ProcessSettingsError(description: "BLUETHROAT_PASSKEY: \(text) is no passkey; give six digits")
            }
            self.passkey = passkey
        }
        if let text = value("BLUETHROAT_BACKGROUND_MODES") {
            let names = text.split { $0 == "," || $0 == " " }.map(String.init)
            if let name = names.first(where: { BackgroundModes([$0]).isEmpty }) {
                throw ProcessSettingsError(
                    description: "BLUETHROAT_BACKGROUND_MODES: \(name) is no mode of Bluetooth; give "
                        + "bluetooth-central, bluetooth-peripheral, or both with a comma between"
                )
            }
            backgroundModes = BackgroundModes(names)
        }
        restoration = value("BLUETHROAT_RESTORATION")
        if restoration != nil, !backgroundModes.contains(.bluetoothPeripheral) {
            throw ProcessSettingsError(
                description: "BLUETHROAT_RESTORATION: only apps that run in the background are restored; set "
                    + "BLUETHROAT_BACKGROUND_MODES=bluetooth-peripheral as well"
            )
        }
        bonds = value("BLUETHROAT_BONDS")
        pcapng = value("BLUETHROAT_CAPTURE")
        btsnoop = value("BLUETHROAT_BTSNOOP")
    }

    var phone: PhoneSettings {
        var settings = PhoneSettings()
        settings.name = name
        settings.passkey = passkey
        return settings
    }
}

/// What is wrong with the environment of the process: one line.
struct ProcessSettingsError: Error, Equatable, CustomStringConvertible {
    let description: String
}
