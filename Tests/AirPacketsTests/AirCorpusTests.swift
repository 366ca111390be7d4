import FuzzInputs
import Testing

@Suite("Fuzz: inputs that are kept")
struct AirCorpusTests {
    @Test("Whatever was found once stays mended", arguments: AirFuzzTargets.all)
    func kept(target: FuzzTarget) throws { try FuzzCorpus.play(target) }
}
