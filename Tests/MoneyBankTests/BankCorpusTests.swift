import FuzzInputs
import Testing

@Suite("Fuzz: inputs that are kept")
struct BankCorpusTests {
    @Test("Whatever was found once stays mended", arguments: BankFuzzTargets.all)
    func kept(target: FuzzTarget) throws { try FuzzCorpus.play(target) }
}
