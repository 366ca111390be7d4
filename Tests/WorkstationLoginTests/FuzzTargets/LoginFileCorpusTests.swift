#if !FUZZING
    import FuzzInputs
    import Testing

    @Suite("Fuzz: inputs that are kept")
    struct LoginFileCorpusTests {
        @Test("Whatever was found once stays mended", arguments: LoginFileFuzzTargets.all)
        func kept(target: FuzzTarget) throws { try FuzzCorpus.play(target) }
    }
#endif
