#if !FUZZING
    import FuzzInputs
    import Testing

    @Suite("Fuzz: inputs that are kept")
    struct ConsoleCorpusTests {
        @Test("Whatever was found once stays mended", arguments: ConsoleFuzzTargets.all + OutOfBandFuzzTargets.all)
        func kept(target: FuzzTarget) throws { try FuzzCorpus.play(target) }
    }
#endif
