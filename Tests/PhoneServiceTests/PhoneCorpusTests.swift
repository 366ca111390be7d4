import FuzzInputs
import Testing

@Suite("Fuzz: inputs that are kept")
struct PhoneCorpusTests {
    @Test("Whatever was found once stays mended", arguments: PhoneFuzzTargets.all)
    func kept(target: FuzzTarget) throws { try FuzzCorpus.play(target) }
}
