import BluethroatSimulation
import FuzzInputs

/// What is made of captures before they are given away.
enum CaptureFuzzTargets {
    /// HCI packets of any kind and length, in both directions: taking the keys out keeps lengths, changes nothing but to
    /// zeros, and finds nothing more to take out the second time.
    static let keys = FuzzTarget(decoder: "capture-keys") { bytes in
        var input = FuzzInput(bytes)
        var first = KeyRedaction()
        var second = KeyRedaction()
        while !input.isEmpty {
            let fromHost = input.index(2) == 1
            let packet = input.bytes(input.index(80))
            let shown = first.redacted(packet, fromHost: fromHost)
            hold(shown.count == packet.count, "a packet has another length without its keys")
            hold(
                zip(shown, packet).allSatisfy { $0 == $1 || $0 == 0 },
                "a byte was changed to something else than zero"
            )
            hold(second.redacted(shown, fromHost: fromHost) == shown, "keys were left in a packet")
        }
    }
}
