import FuzzHarness

@main
enum Entry {
    static func main() { FuzzHarness.main(LoginFuzzTargets.all + LoginFileFuzzTargets.all) }
}
