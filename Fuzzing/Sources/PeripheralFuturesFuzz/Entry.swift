import FuzzHarness

@main
enum Entry {
    static func main() { FuzzHarness.main(FuturesFuzzTargets.all + SensorTagFuzzTargets.all) }
}
