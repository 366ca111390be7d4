import FuzzHarness

@main
enum Entry {
    static func main() { FuzzHarness.main(HTTPAnswerFuzzTargets.all) }
}
