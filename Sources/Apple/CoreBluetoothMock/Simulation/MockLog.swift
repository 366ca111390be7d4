import Logging

/// What whoever writes tests should know.
enum MockLog {
    private static let logger = Logger(label: "bluethroat")

    static func warn(_ sentence: String) { logger.warning("CoreBluetoothMock: \(sentence)") }
}
