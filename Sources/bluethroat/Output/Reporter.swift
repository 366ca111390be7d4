import BluetoothValues
import Host
import VirtualTime

/// Writes what a central tells, as lines for people or as objects for programs.
final class Reporter {
    /// Where devices are collected that people want to see in a list.
    var list: DeviceList?

    private let isJSON: Bool
    private let write: (String) -> Void
    private let hint: (String) -> Void
    private let complain: (String) -> Void

    init(
        json: Bool,
        write: @escaping (String) -> Void = StandardOutput.write,
        hint: @escaping (String) -> Void = StandardError.hint,
        complain: @escaping (String) -> Void = StandardError.write
    ) {
        isJSON = json
        self.write = write
        self.hint = hint
        self.complain = complain
    }

    func tell(_ news: CentralNews, at time: Instant) {
        if isJSON { write(news.json(at: time)) }
        if case .warning(let message) = news { return complain(message) }
        if isJSON { return }
        if case .report(let device) = news {
            if let line = list?.add(device) { write(line) }
        } else if let line = news.text {
            write(line)
        } else if let line = news.hint {
            hint(line)
        }
    }

    /// Nothing more comes of the devices that are still waited for.
    func endList() {
        if !isJSON, let lines = list?.rest() { for line in lines { write(line) } }
        list = nil
    }

    /// The last thing a command says before it has begun; the status to end with.
    func end(_ failure: CommandFailure) -> ExitStatus {
        fail(failure, at: .zero)
        return failure.status
    }

    /// The last thing a command says.
    func fail(_ failure: CommandFailure, at time: Instant) {
        if isJSON { write(CentralNews.failed(failure).json(at: time)) }
        complain(failure.message)
    }
}
