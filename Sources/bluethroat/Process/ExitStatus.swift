import VirtualTime

/// How the command ends, for scripts.
enum ExitStatus: Int32, Error {
    case done = 0
    /// The peer or the radio said no.
    case refused = 1
    case wrongUsage = 2
    /// Nothing was found in time.
    case nothingFound = 3
}

/// Why a command cannot go on: one line that says what was wrong and what to do, and the exit code.
struct CommandFailure: Error, Equatable {
    var message: String
    var status: ExitStatus
    /// The peer's ATT error, if that was it.
    var attError: UInt8?
    /// A controller's error, if that was it.
    var hciError: UInt8?
    /// Why a pairing failed, if one device told it to the other.
    var smpReason: UInt8?
    /// When it was found out, since the command began.
    var time: Instant

    init(
        _ message: String,
        _ status: ExitStatus = .refused,
        attError: UInt8? = nil,
        hciError: UInt8? = nil,
        smpReason: UInt8? = nil,
        time: Instant = .zero
    ) {
        self.message = message
        self.status = status
        self.attError = attError
        self.hciError = hciError
        self.smpReason = smpReason
        self.time = time
    }
}
