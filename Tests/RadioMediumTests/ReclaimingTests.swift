import BluethroatBluetoothValues
import BluethroatVirtualTime
import Testing

@testable import BluethroatRadioMedium

@Suite("A medium gives back what radios leave")
struct ReclaimingTests {
    private let channel = ChannelIndex.advertising[0]

    private func listen(_ radio: RadioID, in medium: inout Medium) -> UInt32 {
        medium.listen(radio, on: channel, phy: .le1M, syncWord: 1, from: .zero, until: .distantFuture)
    }

    /// How much there is of everything that a medium keeps.
    private func size(of medium: Medium) -> [Int] {
        [
            medium.radios.placeCount, medium.losses.count,
            medium.channels.reduce(0) { $0 + $1.listeners.placeCount },
            medium.channels.reduce(0) { $0 + $1.onAir.count },
            medium.channels.reduce(0) { $0 + $1.receptions.count },
        ]
    }

    @Test("Radios that come, listen, send, lose and leave for ever leave it as large as before")
    func forEver() {
        var medium = Medium(seed: 1)
        medium.setLossEverywhere(.percent(30))
        let resident = medium.addRadio(at: .origin)
        let before = size(of: medium)
        var heard = 0
        for round in 0..<2_000 as Range<Int64> {
            let now = Instant.zero + .milliseconds(round)
            let guest = medium.addRadio(at: .metres(x: 1))
            medium.setLoss(.percent(10), from: guest, to: resident)
            _ = listen(resident, in: &medium)
            let id = medium.begin(.usual(from: guest, at: now))
            // Some leave in the middle of a frame, and some while they listen.
            if round % 3 == 0 { medium.removeRadio(guest) }
            var deliveries: [Delivery] = []
            _ = medium.end(id, into: &deliveries)
            heard += deliveries.count
            if round % 3 == 1 { _ = listen(guest, in: &medium) }
            medium.removeRadio(guest)
            medium.stopListening(resident)
        }
        #expect(size(of: medium) == before)
        // One tenth is lost, and of that one half is damaged only.
        #expect((1_840...1_960).contains(heard))
    }

    @Test("The ID of a radio that has left names no other one, be it at the same place of the table")
    func stale() {
        var medium = Medium(seed: 1)
        let sender = medium.addRadio(at: .origin), old = medium.addRadio(at: .metres(x: 1))
        let listening = listen(old, in: &medium)
        medium.removeRadio(old)
        let new = medium.addRadio(at: .metres(x: 2))
        #expect(new.arrival.place == old.arrival.place && new != old && new.rawValue == 2)
        #expect(medium.contains(new) && !medium.contains(old))
        let next = listen(new, in: &medium)
        #expect(next == listening)
        let isEnded = medium.endListening(old, generation: listening)
        medium.stopListening(old)
        medium.removeRadio(old)
        medium.move(old, to: .metres(x: 5_000))
        medium.setLoss(.always, from: sender, to: old)
        #expect(!isEnded && !medium.isReceiving(old) && medium.position(of: new) == .metres(x: 2))
        let id = medium.begin(.usual(from: sender, at: .zero))
        #expect(medium.isReceiving(new) && !medium.isReceiving(old))
        var deliveries: [Delivery] = []
        _ = medium.end(id, into: &deliveries)
        #expect(deliveries.map(\.receiver) == [new] && medium.losses.count == 0)
    }

    @Test("A frame whose radio leaves goes out to its end, and the radio's place is free after that")
    func inFlight() {
        var medium = Medium(seed: 1, propagation: Propagation(shadowing: 0))
        let sender = medium.addRadio(at: .metres(x: 10)), receiver = medium.addRadio(at: .origin)
        _ = listen(receiver, in: &medium)
        let id = medium.begin(.usual(from: sender, at: .zero))
        medium.removeRadio(sender)
        // Where the sender was is not where the next radio is.
        let next = medium.addRadio(at: .metres(x: 3_000))
        #expect(next.arrival.place != sender.arrival.place)
        var deliveries: [Delivery] = []
        _ = medium.end(id, into: &deliveries)
        #expect(deliveries.map(\.receiver) == [receiver] && deliveries.map(\.reception.strength.dBm) == [-70])
        #expect(medium.addRadio(at: .origin).arrival.place == sender.arrival.place)
    }

    @Test("A radio at the place of another one has its own losses and its own shadowing")
    func streams() {
        var strengths: Set<Int> = [], fates: Set<[Bool]> = []
        var medium = Medium(seed: 4, propagation: Propagation(shadowing: 900))
        medium.setLossEverywhere(.percent(50))
        let receiver = medium.addRadio(at: .origin)
        for _ in 0..<20 {
            let guest = medium.addRadio(at: .metres(x: 3))
            #expect(guest.arrival.place == 1)
            strengths.insert(medium.strength(of: SignalStrength(dBm: 0), from: guest, at: receiver))
            fates.insert(
                (0..<16 as Range<Int64>).map { frame in
                    _ = listen(receiver, in: &medium)
                    var deliveries: [Delivery] = []
                    let id = medium.begin(.usual(from: guest, at: .zero + .milliseconds(frame)))
                    _ = medium.end(id, into: &deliveries)
                    return deliveries.isEmpty
                }
            )
            medium.removeRadio(guest)
        }
        #expect(strengths.count > 3 && fates.count > 15)
    }

    @Test(
        "Who has stopped listening among many does not keep the others from hearing, in the order in which they began"
    )
    func listeners() {
        var medium = Medium(seed: 1, propagation: Propagation(shadowing: 0))
        let sender = medium.addRadio(at: .origin)
        let radios = (0..<200).map { medium.addRadio(at: .metres(x: 1 + Double($0) / 100)) }
        for radio in radios { _ = listen(radio, in: &medium) }
        let left = radios.indices.filter { $0 % 7 != 2 }
        for index in left { medium.stopListening(radios[index]) }
        let back = radios[0]
        _ = listen(back, in: &medium)
        let listening = radios.indices.filter { $0 % 7 == 2 }.map { radios[$0] } + [back]
        #expect(medium.channels[37].listeners.placeCount < listening.count * 2 + 9)
        var deliveries: [Delivery] = []
        let id = medium.begin(.usual(from: sender, at: .zero))
        #expect(listening.allSatisfy { medium.isReceiving($0) })
        _ = medium.end(id, into: &deliveries)
        #expect(deliveries.map(\.receiver) == listening)
        #expect(medium.channels[37].listeners.placeCount == 0)
    }
}
