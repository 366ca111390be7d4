import BluethroatBluetoothValues
package import BluethroatEvents
import BluethroatHost
import BluethroatKeyFobConsole
package import BluethroatVirtualTime

/// Writes what happens to a central, as lines for people or as objects for programs.
package final class CentralEventWriter {
    /// Where devices are collected that people want to see in a list.
    package var list: DeviceList?

    private let isJSON: Bool
    private let writeLine: (String) -> Void
    private let hint: (String) -> Void
    private let complain: (String) -> Void

    package init(
        json: Bool,
        write: @escaping (String) -> Void,
        hint: @escaping (String) -> Void,
        complain: @escaping (String) -> Void
    ) {
        isJSON = json
        writeLine = write
        self.hint = hint
        self.complain = complain
    }

    package func write(_ event: CentralEvent, at time: Instant) {
        if isJSON { writeLine(event.json(at: time)) }
        if case .warning(let message) = event { return complain(message) }
        if isJSON { return }
        if case .report(let device) = event {
            if let line = list?.add(device) { writeLine(line) }
        } else if let line = event.text {
            // What comes by itself may come at any time.
            if case .notified = event { writeLine(KeyFobSentences.line(line, at: time)) } else { writeLine(line) }
        } else if let line = event.hint {
            hint(line)
        }
    }

    /// Nothing more comes of the devices that are still waited for.
    package func endList() {
        if !isJSON, let lines = list?.rest() { for line in lines { writeLine(line) } }
        list = nil
    }

    /// The last thing that is said.
    package func fail(_ failure: OperationFailure, at time: Instant) {
        if isJSON { writeLine(CentralEvent.failed(failure).json(at: time)) }
        complain(failure.message)
    }
}
