import BluethroatBluetoothValues
import BluethroatRadioMedium
import BluethroatVirtualTime
import Testing

@Suite("Whether a listening goes on")
struct WaitingTests {
    private static let channel = ChannelIndex.advertising[0]
    private var medium = Medium(seed: 1)
    private let listener: RadioID
    private let sender: RadioID

    init() {
        listener = medium.addRadio(at: .origin)
        sender = medium.addRadio(at: .metres(x: 1))
    }

    private mutating func listen() -> UInt32 {
        medium.listen(
            listener,
            on: Self.channel,
            phy: .le1M,
            syncWord: 7,
            from: .zero,
            until: Instant(nanoseconds: 1_000_000)
        )
    }

    private mutating func isWaiting(_ generation: UInt32) -> Bool {
        medium.isWaiting(listener, generation: generation)
    }

    private mutating func send(syncWord: UInt32) -> TransmissionID {
        medium.begin(
            Transmission(
                radio: sender,
                channel: Self.channel,
                phy: .le1M,
                power: SignalStrength(dBm: 0),
                syncWord: syncWord,
                start: Instant(nanoseconds: 1_000),
                end: Instant(nanoseconds: 81_000),
                frame: [7, 0, 0, 0, 0, 0, 0, 0, 0]
            )
        )
    }

    @Test("It goes on until it is ended, or the radio listens anew")
    mutating func ended() {
        let first = listen()
        let waits = isWaiting(first)
        let second = listen()
        let old = isWaiting(first), new = isWaiting(second)
        let isEnded = medium.endListening(listener, generation: second)
        let over = isWaiting(second)
        #expect(waits && !old && new && isEnded && !over)
    }

    @Test("It goes on while a frame for others is on the air, and not from a frame for it on")
    mutating func received() {
        let generation = listen()
        let other = send(syncWord: 8)
        let during = isWaiting(generation)
        var deliveries: [Delivery] = []
        _ = medium.end(other, into: &deliveries)
        let own = send(syncWord: 7)
        let locked = isWaiting(generation)
        let isEnded = medium.endListening(listener, generation: generation)
        _ = medium.end(own, into: &deliveries)
        let after = isWaiting(generation)
        #expect(during && !locked && !isEnded && !after && deliveries.count == 1)
    }
}
