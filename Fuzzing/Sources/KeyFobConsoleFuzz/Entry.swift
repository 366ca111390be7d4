import FuzzHarness

@main
enum Entry {
    static func main() { FuzzHarness.main(ConsoleFuzzTargets.all + OutOfBandFuzzTargets.all) }
}
