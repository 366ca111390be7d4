#if !FUZZING
    import FuzzInputs
    import Testing

    @Suite("Fuzz: inputs that are kept")
    struct StudyCorpusTests {
        @Test("Whatever was found once stays mended", arguments: StudyFuzzTargets.all)
        func kept(target: FuzzTarget) throws { try FuzzCorpus.play(target) }
    }
#endif
