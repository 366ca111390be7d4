import BluethroatWorkstationLogin
import CoreBluetooth

/// Knows which texts are under way, each by how it begins.
final class Postbox {
    private var tasks: [String: PhoneTask] = [:]

    /// So many bytes at the beginning of a text say whose it is.
    static let nameLength = 6

    /// The beginning of another text than all before.
    func name(of task: PhoneTask) -> String {
        let digits = String(tasks.count, radix: 36)
        let name = String(repeating: "0", count: max(0, Self.nameLength - digits.utf8.count)) + digits
        tasks[name] = task
        return name
    }

    func arrived(_ text: String) { tasks[String(text.prefix(Self.nameLength))]?.finish() }
}

/// Switches a text server on, and tells the postbox which texts it has received.
final class TextReader {
    private let server: TextServer

    init(_ server: TextServer, _ postbox: Postbox, _ later: @escaping Later) {
        self.server = server
        server.received = { postbox.arrived($0) }
        server.changed = { [weak self] in later { self?.look() } }
    }

    private func look() {
        if server.state == .poweredOn, !server.isSwitchOn { server.switchAdvertising(true) }
    }
}

/// Looks for a text server, and writes one text to it.
final class TextWriter {
    private let client: TextClient
    private let text: String
    private let task: PhoneTask
    private var isSent = false

    init(_ client: TextClient, _ text: String, _ task: PhoneTask, _ later: @escaping Later) {
        self.client = client
        self.text = text
        self.task = task
        task.finished = { [weak self] in later { self?.look() } }
        client.changed = { [weak self] in later { self?.look() } }
    }

    private func look() {
        guard client.state == .poweredOn else { return }
        // Others may have their turn.
        guard !task.isDone else { return client.disconnect() }
        guard let found = client.found else { return client.search() }
        switch found.state {
        case .disconnected:
            // What was under way when a connection was lost is written once more.
            isSent = false
            client.connect()
        case .connected where client.mode != nil && !isSent:
            isSent = true
            client.send(text)
        default: break
        }
    }
}
