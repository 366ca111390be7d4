#if !FUZZING
    import FuzzInputs
    import Testing

    @Suite("Fuzz: inputs that are kept")
    struct RestorationCorpusTests {
        @Test("Whatever was found once stays mended", arguments: RestorationFuzzTargets.all)
        func kept(target: FuzzTarget) throws { try FuzzCorpus.play(target) }
    }
#endif
