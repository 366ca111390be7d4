public import BluethroatPhoneService

/// Something that passes between the apps of a phone and its Bluetooth service.
public enum PhoneHappening: Sendable {
    case command(SessionCommand)
    case events([SessionEvent])
    /// An app is called for which a time has come.
    case called
    /// A report to a developer: a call had no effect, or not the one that was wanted.
    case misused(BluetoothService.Misuse)
}
