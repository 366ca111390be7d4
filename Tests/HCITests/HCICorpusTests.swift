import FuzzInputs
import Testing

@Suite("Fuzz: inputs that are kept")
struct HCICorpusTests {
    @Test("Whatever was found once stays mended", arguments: HCIFuzzTargets.all)
    func kept(target: FuzzTarget) throws { try FuzzCorpus.play(target) }
}
