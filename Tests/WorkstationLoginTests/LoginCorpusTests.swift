import FuzzInputs
import Testing

@Suite("Fuzz: inputs that are kept")
struct LoginCorpusTests {
    @Test("Whatever was found once stays mended", arguments: LoginFuzzTargets.all)
    func kept(target: FuzzTarget) throws { try FuzzCorpus.play(target) }
}
