import BluethroatBluetoothValues
package import BluethroatEvents
import BluethroatKeyFob
package import BluethroatKeyFobConsole
package import BluethroatLive
package import BluethroatVirtualTime

/// Turns what happens to live key fobs into the text that a command writes.
package struct KeyFobEventText {
    private let fob: FobChoice
    private let count: Int
    private let distance: Double
    private var radio: KeyFobOutput.Radio?
    private var output: KeyFobOutput
    private var hasBegun = false

    /// - Parameter distance: of each fob from all other devices on a virtual air, in metres.
    package init(_ fob: FobChoice, count: Int, distance: Double, isJSON: Bool) {
        self.fob = fob
        self.count = count
        self.distance = distance
        let mode = isJSON ? KeyFobOutput.Mode.json : .plain
        output = KeyFobOutput(mode, of: fob.vocabulary, radio: nil, distance: distance, fobs: count)
    }

    /// The session has a port or a controller. Not called where time passes as fast as it can.
    package mutating func begin(_ place: RadioPlace, _ mode: KeyFobOutput.Mode) -> KeyFobOutput.Text {
        let radio = KeyFobOutput.Radio(place)
        self.radio = radio
        hasBegun = true
        let isOnAir = if case .air = radio { true } else { false }
        output = KeyFobOutput(
            mode,
            of: fob.vocabulary,
            radio: radio,
            distance: isOnAir ? distance : nil,
            fobs: count
        )
        // Elsewhere the controller has the address.
        return isOnAir ? output.begin(addresses: addresses) : KeyFobOutput.Text()
    }

    private var addresses: [DeviceAddress] { (0..<count).map { fob.address(number: $0) } }

    /// Throws if the session cannot go on.
    package mutating func write(_ event: KeyFobWorldEvent) throws(OperationFailure) -> KeyFobOutput.Text {
        var before = KeyFobOutput.Text()
        if !hasBegun {
            hasBegun = true
            before = output.begin(addresses: addresses)
        }
        let text = try text(event, of: nil)
        return KeyFobOutput.Text(output: before.output + text.output, error: before.error + text.error)
    }

    private mutating func text(
        _ event: KeyFobWorldEvent,
        of fob: Int?
    ) throws(OperationFailure) -> KeyFobOutput.Text {
        switch event {
        case .of(let fob, let event): return try text(event, of: fob)
        case .named(let address): return output.begin(address: address)
        case .changed(let notices):
            if let radio, let fatal = event.failure(of: radio) { throw fatal }
            return output.changed(notices, of: fob ?? 1)
        case .obeyed(let word): return output.obeyed(word, by: fob ?? 1, chip: self.fob.accelerometerChip)
        case .failed(let message, let now): return output.failed(message, at: now, of: fob)
        case .resized(let width): return output.resized(width: width)
        case .chosen(let fob): return output.chose(fob: fob)
        case .central(let notice): return output.happened(notice, with: fob ?? 1)
        case .askedToEnd: return KeyFobOutput.Text()
        }
    }

    /// Something was not done, and why; of no fob in particular.
    package mutating func fail(_ message: String, at now: Instant) -> KeyFobOutput.Text {
        output.failed(message, at: now)
    }

    /// A warning: the session goes on.
    package mutating func warn(_ message: String) -> KeyFobOutput.Text { output.warned(message) }

    /// Where a browser finds the control panel.
    package mutating func panel(_ url: String, token: String) -> KeyFobOutput.Text { output.panel(url, token: token) }

    /// Nothing comes any more.
    package mutating func end() -> KeyFobOutput.Text { output.end() }
}
