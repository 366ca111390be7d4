import Foundation
import Testing

@testable import BluethroatOverflowArea

@Suite("Other phones, as an app knows them")
struct OverflowNeighbourTests {
    @Test("Of a flood of phones the latest are known; one that is heard all the time stays")
    func flood() {
        var neighbours: [OverflowNeighbour] = []
        let limit = [OverflowNeighbour].limit
        let friend = UUID(), others = (0..<limit * 2).map { _ in UUID() }
        var forgotten: [UUID] = []
        for (number, other) in others.enumerated() {
            for phone in [friend, other] {
                let lost = neighbours.note(phone, OverflowMask(), rssi: -50, at: TimeInterval(number)) { _ in }
                forgotten += lost.map { [$0] } ?? []
            }
        }
        #expect(neighbours.count == limit && neighbours.first?.id == friend)
        #expect(neighbours.first?.sightings == others.count)
        #expect(neighbours.dropFirst().map(\.id) == Array(others.suffix(limit - 1)))
        #expect(forgotten == Array(others.dropLast(limit - 1)))
    }
}
