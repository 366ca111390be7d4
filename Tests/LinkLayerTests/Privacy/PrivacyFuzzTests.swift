import BluethroatVirtualTime
import FuzzInputs
import Testing

@Suite("Privacy commands in any order")
struct PrivacyFuzzTests {
    @Test("The answers and the reports are those of the model", arguments: 1...(UInt64(40)))
    func anyOrder(seed: UInt64) throws {
        var stream = FuzzInput(seed: seed, purpose: "privacy fuzz")
        try FuzzedPrivacy.play(&stream, seed: seed)
    }
}
