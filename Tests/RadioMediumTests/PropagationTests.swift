import BluethroatBluetoothValues
import Testing

@testable import BluethroatRadioMedium

@Suite("Propagation")
struct PropagationTests {
    @Test(
        "Loss grows with the logarithm of the distance: ten times as far, ten times the exponent in decibels",
        arguments: [
            (0.1, 30, 10), (1, 30, 40), (2, 30, 49), (10, 30, 70), (50, 30, 91), (100, 30, 100), (10_000, 30, 160),
            (10, 20, 60), (100, 20, 80), (10, 40, 80), (0, 20, 20), (0.01, 20, 20),
        ]
    )
    func loss(metres: Double, exponentTenths: Int64, decibels: Int) {
        let propagation = Propagation(exponentTenths: exponentTenths, shadowing: 0)
        #expect(propagation.loss(from: .origin, to: .metres(x: metres), pair: 1) == decibels)
        #expect(propagation.loss(from: .metres(x: 0, y: metres), to: .origin, pair: 2) == decibels)
    }

    @Test("A bystander has no shadowing")
    func bystander() {
        #expect(Propagation(shadowing: 600).loss(from: .metres(x: 10), to: .origin) == 70)
    }

    @Test("Shadowing moves a pair's loss by no more than it may, and pairs differ")
    func shadowing() {
        let propagation = Propagation(shadowing: 600)
        let losses = (0..<500).map { propagation.loss(from: .origin, to: .metres(x: 10), pair: $0) }
        #expect(losses.allSatisfy { (64...76).contains($0) })
        #expect(Set(losses).count > 3)
        #expect(losses == (0..<500).map { propagation.loss(from: .metres(x: 10), to: .origin, pair: $0) })
    }

    @Test("Binary logarithms are good to a thousandth")
    func logarithm() {
        #expect(Propagation.log2(1) == 0)
        #expect(Propagation.log2(1 << 40) == 40 << 16)
        // log2(10) = 3.321928, log2(1 000 000) = 19.931569
        #expect(abs(Propagation.log2(10) - 217_706) <= 2)
        #expect(abs(Propagation.log2(1_000_000) - 1_306_235) <= 4)
    }
}
