import FuzzHarness

@main
enum Entry {
    static func main() { FuzzHarness.main(BankFuzzTargets.all + BankAnswerFuzzTargets.all) }
}
