import BluethroatVirtualTime
import FuzzInputs
import Testing

@Suite("Privacy under random orders")
struct PrivacyOrderFuzzTests {
    @Test(
        "Whatever is ordered and refused, no command comes when it is forbidden, and nothing is held for ever",
        arguments: [true, false]
    )
    func orders(resolves: Bool) throws {
        for seed in 1...100 as ClosedRange<UInt64> {
            var random = FuzzInput(seed: seed, purpose: "orders")
            let violations = try FuzzedPrivacyOrders.live(&random, resolves: resolves)
            #expect(violations.isEmpty, "seed \(seed)")
            if !violations.isEmpty { return }
        }
    }
}
