import FuzzInputs
import Testing

@Suite("Fuzz: inputs that are kept")
struct LinkLayerCorpusTests {
    @Test("Whatever was found once stays mended", arguments: LinkLayerFuzzTargets.all)
    func kept(target: FuzzTarget) throws { try FuzzCorpus.play(target) }
}
