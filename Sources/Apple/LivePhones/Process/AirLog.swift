import BluethroatByteCoding
import Logging

/// What a developer should know about phones in real time: what an app does wrong, and why there is no Bluetooth.
///
/// It goes through swift-log under the label `bluethroat`: a program chooses the place with `LoggingSystem.bootstrap`.
/// Each message asks for the handler anew, so that one that is installed after the first manager counts as well. A line may
/// quote a peripheral's name, which comes from a stranger: it moves no cursor and begins no line of its own.
enum AirLog {
    /// What goes on, and not as the app expects.
    static func warn(_ line: String, phone: String) {
        Logger(label: label).warning("\(line.shown)", metadata: ["phone": "\(phone.shown)"])
    }

    /// What does not go on.
    static func fail(_ line: String, phone: String? = nil) {
        Logger(label: label).error("\(line.shown)", metadata: phone.map { ["phone": "\($0.shown)"] })
    }

    private static let label = "bluethroat"
}
