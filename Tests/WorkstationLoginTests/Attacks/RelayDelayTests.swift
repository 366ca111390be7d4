import BluethroatAppEnvironment
import BluethroatPhones
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime
import Foundation
import Testing

@testable import BluethroatWorkstationLogin

@Suite("A relay that takes its time")
struct RelayDelayTests {
    private let id = LoginScene.identifier

    /// A victim far away presses the button of a desk that the phone knows. How long it takes until the session is there,
    /// in seconds; nil if it never is.
    private func logIn(delay: TimeInterval, code: Desk.Settings.CodePolicy = .firstTime) throws -> Double? {
        let scene = LoginScene(seed: 3)
        var settings = Desk.Settings()
        settings.code = code
        let desk = scene.addDesk(key: 7, settings: settings)
        let relay = Relay(
            id,
            nearVictim: scene.phone("relay in the café", at: .metres(x: 50_001)),
            nearDesk: scene.phone("relay in the office", at: .metres(x: 1)),
            clock: .of(scene.world)
        )
        relay.delay = delay
        let victim = scene.addPhone(at: .metres(x: 50_000), storage: try LoginScene.knowing())
        scene.run(for: .seconds(6)) { relay.isThrough }
        scene.run(for: .seconds(5))
        let began = scene.world.now
        victim.app.choose(id)
        scene.run(for: .seconds(60)) { desk.desk.screen.session != nil || victim.app.screen.page.wantsAnswer }
        if code == .always { scene.run(for: .seconds(10)) }
        guard desk.desk.screen.session != nil else { return nil }
        return (scene.world.now - began).inSeconds
    }

    @Test("A relay's delay up to half a second does not prevent the session, which opens as late as the page says")
    func delays() throws {
        let page = try ProtocolPageTests.page()
        for milliseconds in [0, 1, 10, 50, 100, 250, 500, 2_000, 6_000] {
            let seconds = try logIn(delay: Double(milliseconds) / 1_000)
            let row =
                "| \(milliseconds) ms | "
                + (seconds.map { String(format: "opens after %.1f s", $0) } ?? "does not open") + " |"
            #expect(page.contains(row), "\(row)")
            if milliseconds <= 500 { #expect(seconds != nil) }
        }
    }

    @Test("A desk that draws digits opens for no relay, however fast", arguments: [0, 0.001, 0.1, 0.5])
    func drawnDigits(delay: Double) throws {
        #expect(try logIn(delay: delay, code: .always) == nil)
    }
}
