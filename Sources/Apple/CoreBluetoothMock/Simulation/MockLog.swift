import Logging

/// Warnings for the authors of tests: a specification asks for what the simulation cannot do.
enum MockLog {
    private static let logger = Logger(label: "bluethroat")

    static func warn(_ sentence: String) { logger.warning("CoreBluetoothMock: \(sentence)") }
}
