import BluethroatBluetoothValues
import BluethroatVirtualTime
import Testing

@testable import BluethroatRadioMedium

@Suite("How far signals get")
struct ReachTests {
    @Test(
        "What is called out of reach does lose more, whatever the pair; and little that loses more is not",
        arguments: [
            Propagation(), Propagation(exponentTenths: 20, shadowing: 0),
            Propagation(exponentTenths: 45, shadowing: 900),
            Propagation(lossAtOneMetre: -2_000, shadowing: -100), Propagation(exponentTenths: 0),
            Propagation(exponentTenths: -10),
        ]
    )
    func neverTooShort(propagation: Propagation) {
        var reach = Reach(propagation)
        var random = SeededRandom(seed: 5, purpose: "distances")
        var tooShort: [String] = [], tooLong: [String] = []
        for _ in 0..<10_000 {
            // All orders of magnitude, from a millimetre to beyond what there is.
            let x = Int32(random.next(below: 1 << 31) >> random.next(below: 31))
            let place = Position(x: x, y: Int32(random.next(below: 1_000)))
            let loss = Int(random.next(below: 200)) - 20
            let exact = propagation.loss(from: .origin, to: place, pair: random.next())
            let isBeyond = reach.isBeyond(Position.origin.squaredDistance(to: place), losing: loss)
            if isBeyond, exact <= loss { tooShort.append("\(place) loses \(exact) dB, and not over \(loss)") }
            let isFar = exact > loss + Int(abs(propagation.shadowing) / 50) + 1
            if propagation.exponentTenths > 0, loss >= 0, isFar, !isBeyond {
                tooLong.append("\(place) loses \(exact) dB, far more than \(loss)")
            }
        }
        #expect(tooShort.isEmpty, "\(tooShort.first ?? "")")
        #expect(tooLong.isEmpty, "\(tooLong.first ?? "")")
    }
}
