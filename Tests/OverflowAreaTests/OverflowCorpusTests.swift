import FuzzInputs
import Testing

@Suite("Fuzz: inputs that are kept")
struct OverflowCorpusTests {
    @Test("Whatever was found once stays mended", arguments: OverflowFuzzTargets.all)
    func kept(target: FuzzTarget) throws { try FuzzCorpus.play(target) }
}
