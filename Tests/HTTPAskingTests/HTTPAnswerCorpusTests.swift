import FuzzInputs
import Testing

@Suite("Fuzz: inputs that are kept")
struct HTTPAnswerCorpusTests {
    @Test("Whatever was found once stays mended", arguments: HTTPAnswerFuzzTargets.all)
    func kept(target: FuzzTarget) throws {
        let inputs = try FuzzCorpus(of: target).inputs
        #expect(!inputs.isEmpty)
        for input in inputs { try target.play(input.bytes) }
    }
}
