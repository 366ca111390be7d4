extension FramedPipe.Failure {
    /// What is said on a screen.
    var sentence: String {
        switch self {
        case .refused(.tooLong): "the other side does not take texts of that length"
        case .refused: "it arrived damaged three times"
        case .unanswered: "the other side does not answer"
        case .closed: "the connection has ended"
        case .full: "too much waits to be sent already"
        }
    }

    /// In the log of a text's screen.
    var line: String { "NOT SENT: \(sentence)" }
}

extension TextPad.Progress {
    init(_ progress: (sent: Int, total: Int)) { self.init(sent: progress.sent, total: progress.total) }
}
