import BluethroatBluetoothValues
import BluethroatByteCoding
import FuzzInputs

@testable import BluethroatHCI

/// Decoders of what crosses the host controller interface. What is understood is written and understood again, as the
/// same value.
enum HCIFuzzTargets {
    static let all = [commands, events, returnParameters, data, framing]

    static let commands = FuzzTarget(decoder: "hci-commands", upTo: 260) { bytes in
        guard let command = try? Command(parsing: bytes) else { return }
        let again = command.packet()
        hold((try? Command(parsing: again)) == command, "\(bytes.hex) became \(command), written as \(again.hex)")
    }

    static let events = FuzzTarget(decoder: "hci-events", upTo: 260) { bytes in
        let own = [(try? CommandComplete(ofTypeIn: bytes))?.event, (try? LEAdvertisingReport(ofTypeIn: bytes))?.event]
        for event in own.compactMap(\.self) {
            hold((try? Event(parsing: bytes)) == event, "\(bytes.hex) is \(event) by its own type alone")
        }
        guard let event = try? Event(parsing: bytes) else { return }
        let again = event.packet()
        hold((try? Event(parsing: again)) == event, "\(bytes.hex) became \(event), written as \(again.hex)")
    }

    /// The first byte says which command has completed.
    static let returnParameters = FuzzTarget(decoder: "hci-return-parameters", upTo: 260) { bytes in
        guard let first = bytes.first else { return }
        let sample = Samples.returns[Int(first) % Samples.returns.count]
        guard let written = try? sample.rewritten(Array(bytes.dropFirst())) else { return }
        hold(
            (try? sample.rewritten(written)) == written,
            "\(sample.opcode): \(bytes.hex) was written as \(written.hex)"
        )
    }

    static let data = FuzzTarget(decoder: "hci-data", upTo: 64) { bytes in
        var span = bytes.span.bytes
        guard let header = try? ACLHeader(parsing: &span) else { return }
        var again = bytes
        ACLHeader.write(handle: header.handle, boundary: header.boundary, into: &again)
        hold(again == bytes, "\(bytes.hex) was written as \(again.hex)")
    }

    /// A stream that comes in pieces of 1 to 32 bytes, as the first byte says: no byte is lost, and a stream that cannot
    /// be cut any more keeps none.
    static let framing = FuzzTarget(decoder: "hci-framing", upTo: 600) { bytes in
        guard let first = bytes.first else { return }
        var framing = H4Framing(), taken = 0, given = 0
        var stream = bytes.dropFirst()
        do throws(H4FramingError) {
            while !stream.isEmpty {
                let piece = stream.prefix(1 + Int(first & 0x1F))
                stream = stream.dropFirst(piece.count)
                given += piece.count
                framing.append(piece)
                while let packet = try framing.nextPacket() { taken += packet.count }
                hold(taken + framing.pendingCount == given, "bytes were lost")
            }
        } catch {
            hold(framing.pendingCount == 0, "a dead stream keeps bytes")
        }
    }
}
