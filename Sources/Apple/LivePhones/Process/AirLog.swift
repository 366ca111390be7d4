import Logging

/// What a developer should know about phones in real time: what an app does wrong, and why there is no Bluetooth.
///
/// It goes through swift-log under the label `bluethroat`: a program chooses the place with `LoggingSystem.bootstrap`.
/// Each message asks for the handler anew, so that one that is installed after the first manager counts as well.
enum AirLog {
    /// What goes on, and not as the app expects.
    static func warn(_ line: String, phone: String) {
        Logger(label: label).warning("\(line)", metadata: ["phone": "\(phone)"])
    }

    /// What does not go on.
    static func fail(_ line: String, phone: String? = nil) {
        Logger(label: label).error("\(line)", metadata: phone.map { ["phone": "\($0)"] })
    }

    private static let label = "bluethroat"
}
