import BluethroatLivePhones
import BluethroatRadioMedium
import CoreBluetooth
import Testing

@testable import app_peer

@Suite("L2CAP channels in real time", .timeLimit(.minutes(4)))
struct LiveChannelTests {
    @Test("Two apps pass a file of 2 MB over a channel, and some of it back")
    func file() async throws {
        let air = LiveAir(seed: 1)
        let (one, two) = (air.addPhone(named: "one"), air.addPhone(named: "two", at: .metres(x: 1)))
        let (left, right) = (Listener(), Listener())
        let (whole, part) = (2 << 20, 100_000)
        let publisher = one.addApp().run {
            PublishingPeer(
                Plan(channelSends: part, channelReceives: whole),
                queue: DispatchQueue(label: "publisher"),
                tell: left.story
            )
        }
        let central = two.addApp().run {
            CentralPeer(Plan(channelSends: whole, channelReceives: part), queue: nil, tell: right.story)
        }
        try await right.wait(for: "done", within: .seconds(200))
        try await left.wait(for: "channel")
        for (end, count) in [(left, whole), (right, part)] {
            let channel = end.events.first { $0.name == "channel" }?.details
            #expect(channel?["received"] as? Int == count && channel?["intact"] as? Bool == true)
        }
        withExtendedLifetime((publisher, central)) {}
    }
}
