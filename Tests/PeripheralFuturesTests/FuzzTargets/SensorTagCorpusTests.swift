#if !FUZZING
    import FuzzInputs
    import Testing

    @Suite("Fuzz: inputs that are kept")
    struct SensorTagCorpusTests {
        @Test("Whatever was found once stays mended", arguments: SensorTagFuzzTargets.all)
        func kept(target: FuzzTarget) throws { try FuzzCorpus.play(target) }
    }
#endif
