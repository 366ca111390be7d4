#if canImport(Phones)
    import ArgumentParser
    import Foundation
    import RadioMedium
    import Simulation
    import VirtualTime

    /// A café.
    struct MoneyDemo: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "demo",
            abstract: "A café full of phones, whose owners look around and pay each other; or a pitfall, as it was."
        )

        @Option(help: "How many phones, 2 to 20.")
        var people = 6

        @Option(help: ArgumentHelp("Close after so long (default: when told to).", valueName: "seconds"))
        var `for`: Double?

        @Option(help: ArgumentHelp("The size of each photo in bytes.", valueName: "n"))
        var photoSize = 20_000

        @Option(
            help: ArgumentHelp(
                "Show a pitfall of the first MoneyDrop as it was, in virtual time, and end: write-type, photo or "
                    + "background. With --capture it is in a file for Wireshark.",
                valueName: "pitfall"
            )
        )
        var reenact: Pitfall?

        @OptionGroup(title: "Bank") var bank: BankOptions
        @OptionGroup(title: "World") var scene: SceneOptions

        func validate() throws {
            guard (2...20).contains(people) else { throw ValidationError("--people is from 2 to 20") }
            guard (1...10_000_000).contains(photoSize) else {
                throw ValidationError("--photo-size is from 1 to 10000000 bytes")
            }
            if let seconds = self.for, !(1...86_400).contains(seconds) {
                throw ValidationError("--for is from 1 to 86400 seconds")
            }
            if scene.controller != nil {
                throw ValidationError("the guests need each other's air; leave out --controller")
            }
        }

        private static let names = [
            "Anna", "Ben", "Carol", "David", "Emma", "Frank", "Grete", "Hugo", "Ida", "Jan", "Klara", "Leo", "Mia",
            "Nils", "Olga", "Paul", "Quirin", "Rosa", "Sven", "Tilda",
        ]

        func run() async throws {
            if let reenact {
                do throws(CommandFailure) {
                    try Reenactment.play(reenact, capture: scene.capture, seed: scene.seed ?? 1, isJSON: scene.json)
                } catch {
                    throw error.leave(isJSON: scene.json)
                }
                return
            }
            let seed = scene.seed ?? .random(in: .min ... .max)
            var random = SeededRandom(seed: seed, purpose: "photos")
            let plans = (0..<people).map { number in
                let angle = 2 * Double.pi * Double(number) / Double(people)
                return GuestPlan(
                    name: Self.names[number],
                    photo: GuestPicture.make(number, size: photoSize, using: &random),
                    position: .metres(x: 4 + 3 * cos(angle), y: 4 + 3 * sin(angle)),
                    // One of them has not updated for years.
                    isOlder: number == people - 1 && people > 3
                )
            }
            try await MoneySession.run(
                scene,
                bank,
                plans: plans,
                plot: .cafe(seed: seed, seconds: self.for)
            ) { bank in "A café with \(people) phones, and the bank at \(bank.url)" }
        }
    }

    /// A picture of somebody who does not exist: a BMP of one colour, with some noise behind it.
    enum GuestPicture {
        static func make(_ number: Int, size: Int, using random: inout SeededRandom) -> Data {
            let side = 32, header = 54
            var data = Data("BM".utf8)
            func append(_ value: Int, _ count: Int) {
                for shift in 0..<count { data.append(UInt8(truncatingIfNeeded: value >> (8 * shift))) }
            }
            append(header + side * side * 3, 4)
            append(0, 4)
            append(header, 4)
            for (value, count) in [
                (40, 4), (side, 4), (side, 4), (1, 2), (24, 2), (0, 4), (0, 4), (2_835, 4), (2_835, 4), (0, 4), (0, 4),
            ] {
                append(value, count)
            }
            let hue = Double(number) * 0.61803
            for row in 0..<side {
                for column in 0..<side {
                    let isHead = hypot(Double(column) - 15.5, Double(row) - 18) < 8
                    let shade = isHead ? 0.95 : 0.55 + 0.2 * Double(row) / Double(side)
                    for offset in [0.66, 0.33, 0] {
                        let wave = 0.5 + 0.5 * cos(2 * Double.pi * (hue + offset))
                        data.append(UInt8((shade * (0.5 + 0.5 * wave) * 255).rounded()))
                    }
                }
            }
            while data.count < size { data.append(UInt8.random(in: .min ... .max, using: &random)) }
            return data
        }
    }
#endif
