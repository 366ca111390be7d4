import FuzzInputs
import Testing

@Suite("Fuzz: inputs that are kept")
struct FuturesCorpusTests {
    @Test("Whatever was found once stays mended", arguments: FuturesFuzzTargets.all)
    func kept(target: FuzzTarget) throws { try FuzzCorpus.play(target) }
}
