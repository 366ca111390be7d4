import BluethroatByteCoding
import BluethroatEvents
import BluethroatKeyFobConsole
import BluethroatLive
import BluethroatOverflowArea
import BluethroatPhones
import BluethroatVirtualTime
import Foundation

extension OverflowWorld {
    /// What a phone knows of the others, a line each.
    func summarise(_ participant: OverflowParticipant) {
        let state = participant.state
        for neighbour in state.neighbours {
            guard isJSON else {
                var line = "\(participant.phone.name): \(neighbour.id.uuidString) "
                if let payload = neighbour.payload, let first = neighbour.firstBelieved {
                    line += "sends \(payload.hex.uppercased()), read \(neighbour.readings) times, "
                    line += "first at \(String((first * 10).rounded() / 10)) s, confidence in each byte: "
                    line += neighbour.confidence.map(ConfidenceText.percent).joined(separator: " ")
                } else {
                    line += "was heard \(neighbour.sightings) times; nothing was believed"
                }
                tell(.analysis(line))
                continue
            }
            var line = JSONLine(event: "neighbour", time: present)
            line.add("phone", participant.phone.name)
            line.add("peer", neighbour.id.uuidString)
            if let payload = neighbour.payload { line.add("payload", payload.hex) }
            line.add("readings", neighbour.readings)
            line.add("sightings", neighbour.sightings)
            line.add("statuses", neighbour.statuses.map(\.rawValue))
            line.add("verdict", neighbour.verdict.rawValue)
            if let first = neighbour.firstBelieved { line.add("first", .nanoseconds(Int64(first * 1e9))) }
            if neighbour.payload != nil { line.add("confidence", decimal: ConfidenceText.json(neighbour.confidence)) }
            tell(.analysis(line.text))
        }
    }
}
