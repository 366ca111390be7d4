package import BluethroatBluetoothValues
package import BluethroatPhoneService
package import CoreBluetooth

/// The way back from the environment of an app to the phone in virtual time that it leads to, for layers that put devices
/// around that phone.
extension BluetoothEnvironment {
    /// The phone, to be used on the thread that runs its world; nil where the environment leads elsewhere.
    package var phone: Phone? { (port as? AppPort)?.commands.life?.phone }

    /// Whether it leads to a phone; on any thread.
    package var leadsToPhone: Bool { (port as? AppPort)?.commands.life != nil }

    /// The app on that phone.
    package var app: AppID? { (port as? AppPort)?.sender.app }

    /// An object of a layer above that belongs to the app, and lives as long as the phone; made when it is first asked for.
    /// Nil where the environment leads to no phone in virtual time.
    package func extensionStorage<Storage: Sendable & AnyObject>(orMake make: () -> Storage) -> Storage? {
        guard let port = port as? AppPort else { return nil }
        return port.commands.extensionStorage(of: port.sender.app, orMake: make)
    }
}

extension Phone {
    /// The phone knows a peer from earlier. Answers the identifier under which an app means it.
    package func remember(_ address: DeviceAddress, for app: AppID) -> UUID {
        let id = service.remember(address, for: app)
        var bytes = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)).uuid
        withUnsafeMutableBytes(of: &bytes) { target in
            for place in 0..<8 {
                target[place] = UInt8(truncatingIfNeeded: id.high >> UInt64(56 - 8 * place))
                target[8 + place] = UInt8(truncatingIfNeeded: id.low >> UInt64(56 - 8 * place))
            }
        }
        return UUID(uuid: bytes)
    }
}
