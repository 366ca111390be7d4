#if !FUZZING
    import FuzzInputs
    import Testing

    @Suite("Fuzz: inputs that are kept")
    struct TextCorpusTests {
        @Test("Whatever was found once stays mended", arguments: TextFuzzTargets.all)
        func kept(target: FuzzTarget) throws { try FuzzCorpus.play(target) }
    }
#endif
