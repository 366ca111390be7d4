import FuzzInputs
import Testing

@Suite("Fuzz: inputs that are kept")
struct PanelCorpusTests {
    @Test("Whatever was found once stays mended", arguments: PanelFuzzTargets.all)
    func kept(target: FuzzTarget) throws { try FuzzCorpus.play(target) }
}
