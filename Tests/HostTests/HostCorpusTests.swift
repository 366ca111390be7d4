import FuzzInputs
import Testing

@Suite("Fuzz: inputs that are kept")
struct HostCorpusTests {
    @Test("Whatever was found once stays mended", arguments: HostFuzzTargets.all)
    func kept(target: FuzzTarget) throws { try FuzzCorpus.play(target) }
}
