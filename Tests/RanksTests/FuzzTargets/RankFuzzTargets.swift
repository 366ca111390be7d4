import BluethroatBluetoothValues
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime
import FuzzInputs

@testable import BluethroatByteCoding
@testable import BluethroatRanks

/// What ranks tell each other. A rank that understands a message writes the same bytes, and can work with what they say.
enum RankFuzzTargets {
    static let all = [events, interests]

    static let events = FuzzTarget(decoder: "air-rank-events", upTo: 120) { bytes in
        var span = bytes.span.bytes
        guard let event = try? AirEvent(parsing: &span) else { return }
        var again: [UInt8] = []
        event.write(to: &again)
        hold(again == Array(bytes.prefix(bytes.count - span.byteCount)), "\(bytes.hex) was written as \(again.hex)")
        if case .frame(let transmission, _) = event {
            hold(transmission.start <= transmission.end, "\(bytes.hex) ends before it begins")
            hold(transmission.frame.count >= 9, "\(bytes.hex) is a frame of \(transmission.frame.count) bytes")
            let (_, isTooLate) = transmission.end.nanoseconds.addingReportingOverflow(WorldPart.window.nanoseconds)
            hold(!isTooLate, "\(bytes.hex) ends after the last instant of a world")
        }
        // A rank counts on from it.
        let (_, isTooLate) = event.instant.nanoseconds.addingReportingOverflow(WorldPart.window.nanoseconds)
        hold(!isTooLate, "\(bytes.hex) is later than a world can be")
    }

    static let interests = FuzzTarget(decoder: "air-rank-interests", upTo: 200) { bytes in
        var span = bytes.span.bytes
        if let outlook = try? Outlook(parsing: &span) {
            hold(outlook.bytes == Array(bytes.prefix(9)), "\(bytes.hex) was written as \(outlook.bytes.hex)")
        }
        guard let interest = try? Interest(bytes: bytes) else { return }
        let again = interest.bytes
        hold(again.count <= bytes.count, "\(bytes.hex) was written as \(again.hex)")
        hold((try? Interest(bytes: again))?.squares == interest.squares, "\(bytes.hex) was written as \(again.hex)")
        hold(interest.meets(interest) == (interest.squares?.isEmpty != true), "\(bytes.hex) does not meet itself")
        for square in interest.squares ?? [] { hold(interest.contains(square), "\(square) is not in \(bytes.hex)") }
        for reach in [nil, 1, 100_000, 4_300_000_000] as [Int64?] {
            let habitat = Habitat(reach: reach)
            let areas = habitat.areas(of: interest, without: Interest())
            hold(areas.count <= max(1, interest.squares?.count ?? 0), "\(bytes.hex) has \(areas.count) areas")
            for (low, high) in areas { hold(low.x <= high.x && low.y <= high.y, "\(bytes.hex): \(low) to \(high)") }
            hold(habitat.areas(of: interest, without: interest).isEmpty || reach == nil || interest.squares == nil)
        }
    }
}
