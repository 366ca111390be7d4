@main
struct Main {
    static func main() throws {
        let options = try Options(Array(CommandLine.arguments.dropFirst()))
        for bench in Bench.all where options.wants(bench) {
            let value = try bench.measure(options.seconds)
            print(bench.name, value, bench.unit)
        }
    }
}
