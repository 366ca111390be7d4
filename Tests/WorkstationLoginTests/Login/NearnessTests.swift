import Foundation
import Testing

@testable import BluethroatWorkstationLogin

@Suite("Whether somebody is near, from strengths that jump")
struct NearnessTests {
    /// What is told while one strength a second is measured.
    private func changes(_ strengths: [Int], _ settings: LoginSettings = LoginSettings()) -> [(
        at: Int, Nearness.Change
    )] {
        var nearness = Nearness(settings)
        return strengths.enumerated().compactMap { second, strength in
            nearness.take(strength, at: TimeInterval(second)).map { (second, $0) }
        }
    }

    private func repeated(_ strength: Int, _ count: Int) -> [Int] { Array(repeating: strength, count: count) }

    @Test("Weaker than -72 dBm for four seconds is away, and told once")
    func away() {
        let told = changes(repeated(-60, 5) + repeated(-75, 60))
        // The third weak one is the median of five.
        #expect(told.map(\.at) == [11] && told.map(\.1) == [.wentAway])
        #expect(changes(repeated(-72, 60)).isEmpty)
    }

    @Test("Two weak ones in five are a pillar, and nobody's going")
    func outliers() {
        #expect(changes((0..<20).flatMap { _ in [-60, -90, -60, -90, -60] }).isEmpty)
    }

    @Test("Who hovers at the limit goes once; six decibels more, and the next going counts again")
    func hysteresis() {
        let hovering = (0..<10).flatMap { _ in repeated(-75, 6) + repeated(-68, 6) }
        #expect(changes(hovering).map(\.1) == [.wentAway])
        let comingBack = (0..<3).flatMap { _ in repeated(-75, 10) + repeated(-66, 10) }
        #expect(changes(comingBack).map(\.1) == [.wentAway, .wentAway, .wentAway])
    }

    @Test("Nearer than -45 dBm for one and a half seconds is near, told again only after having been further away")
    func near() {
        #expect(changes(repeated(-40, 20)).map(\.1) == [.cameNear])
        #expect(changes([-60, -60, -40, -60, -60, -60]).isEmpty)
        let hovering = (0..<10).flatMap { _ in repeated(-44, 6) + repeated(-50, 6) }
        #expect(changes(hovering).map(\.1) == [.cameNear])
        let comingAndGoing = (0..<3).flatMap { _ in repeated(-44, 6) + repeated(-60, 6) }
        #expect(changes(comingAndGoing).map(\.1) == [.cameNear, .cameNear, .cameNear])
    }

    @Test("After a session somebody has to have been away before coming near counts")
    func afterSession() {
        var nearness = Nearness.afterSession(LoginSettings(), at: 0)
        for second in 1..<60 { #expect(nearness.take(-40, at: TimeInterval(second)) == nil) }
        for second in 60..<70 { _ = nearness.take(-60, at: TimeInterval(second)) }
        #expect((70..<80).compactMap { nearness.take(-40, at: TimeInterval($0)) } == [.cameNear])
    }
}
