import FuzzInputs
import Testing

@Suite("Fuzz: inputs that are kept")
struct WorldCorpusTests {
    @Test("Whatever was found once stays mended", arguments: WorldFuzzTargets.all)
    func kept(target: FuzzTarget) throws { try FuzzCorpus.play(target) }
}
