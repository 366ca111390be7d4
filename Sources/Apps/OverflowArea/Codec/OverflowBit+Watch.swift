import CoreBluetooth

extension OverflowBit {
    /// The bit of the service with which an Apple Watch asks to be set up. iPhones nearby that see it ask their person
    /// about a watch that is not there.
    public static let watchSetup = Self(of: CBUUID(string: "9AA4730F-B25C-4CC3-B821-C931559FC196"))

    /// The warning to a user who is about to send it, with what can be done instead.
    static func watchWarning(_ remedy: String) -> String {
        "warning: bit \(watchSetup.index) is used, with which an Apple Watch asks to be set up: iPhones nearby will ask their "
            + "owners to pair one; \(remedy)"
    }
}
