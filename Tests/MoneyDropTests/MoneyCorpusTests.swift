import FuzzInputs
import Testing

@Suite("Fuzz: inputs that are kept")
struct MoneyCorpusTests {
    @Test("Whatever was found once stays mended", arguments: MoneyFuzzTargets.all)
    func kept(target: FuzzTarget) throws { try FuzzCorpus.play(target) }
}
