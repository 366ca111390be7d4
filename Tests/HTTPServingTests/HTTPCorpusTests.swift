import FuzzInputs
import Testing

@Suite("Fuzz: inputs that are kept")
struct HTTPCorpusTests {
    @Test("Whatever was found once stays mended", arguments: HTTPFuzzTargets.all)
    func kept(target: FuzzTarget) throws { try FuzzCorpus.play(target) }
}
