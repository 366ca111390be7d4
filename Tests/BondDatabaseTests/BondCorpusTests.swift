import FuzzInputs
import Testing

@Suite("Fuzz: inputs that are kept")
struct BondCorpusTests {
    @Test("Whatever was found once stays mended", arguments: BondFuzzTargets.all)
    func kept(target: FuzzTarget) throws { try FuzzCorpus.play(target) }
}
