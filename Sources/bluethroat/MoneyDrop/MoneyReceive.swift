#if canImport(Phones)
    import ArgumentParser
    import Foundation
    import HCITransports
    import KeyFobConsole
    import LiveLoop
    import MoneyBank
    import MoneyDrop
    import MoneyTerms

    /// What every command with a MoneyDrop of one person takes.
    struct GuestOptions: ParsableArguments {
        @Option(
            help: ArgumentHelp(
                "Where the account is kept, with what was sent and received (default: a file for this name and bank in "
                    + "$XDG_STATE_HOME/bluethroat/moneydrop; none for a bank whose books are in memory here).",
                valueName: "file"
            )
        )
        var wallet: String?

        @Option(help: "The currency of a new account.")
        var currency = "EUR"

        func validate() throws {
            guard Currency(currency) != nil else {
                throw ValidationError("--currency \(currency) is none; write its three letters, such as EUR")
            }
        }

        /// - Parameter isLasting: whether the bank is there after this command, too.
        func plan(named name: String, photo: Data?, isLasting: Bool) -> GuestPlan {
            GuestPlan(
                name: name,
                photo: photo,
                wallet: wallet.map { .file($0) } ?? (isLasting ? .usual : .forgotten),
                currency: Currency(currency) ?? .euro
            )
        }

        /// Reads a photo.
        static func photo(_ path: String?) throws(CommandFailure) -> Data? {
            guard let path else { return nil }
            do {
                let photo = try Data(contentsOf: URL(filePath: path))
                if photo.isEmpty { throw CommandFailure("\(path) is empty; name a file with a photo", .wrongUsage) }
                return photo
            } catch let failure as CommandFailure {
                throw failure
            } catch {
                throw CommandFailure("the photo \(path) cannot be read; name a file that is there", .wrongUsage)
            }
        }

        static func checkName(_ name: String) throws {
            if let fault = OwnerName.fault(in: name) { throw ValidationError("--name cannot be that: \(fault)") }
        }
    }

    extension CommandFailure {
        /// Writes the line, and ends with the status.
        func leave(isJSON: Bool) -> ExitStatus {
            if isJSON { StandardOutput.write(KeyFobJSON.error(message, at: time)) }
            StandardError.write(message)
            return status
        }
    }

    /// Runs phones with MoneyDrop until they are done.
    enum MoneySession {
        static func run(
            _ options: SceneOptions,
            _ bank: BankOptions,
            plans: [GuestPlan],
            plot: MoneyWorld.Plot,
            heading: (OpenBank) -> String?
        ) async throws {
            let open: OpenBank
            do throws(CommandFailure) {
                open = try await bank.open()
            } catch {
                throw error.leave(isJSON: options.json)
            }
            let courier = Courier()
            let session = SceneSession<MoneyWorld, MoneyNews>(options: options, parts: [MoneyDropPart<MoneyWorld>.part])
            let status = await session.run(SceneLines(isJSON: options.json, heading: heading(open))) { scene, voice in
                MoneyWorld(scene, voice, plans: plans, plot: plot, bank: open, courier: courier)
            } whenLive: { live, _ in
                courier.begin { work in
                    live.post { owner in
                        work()
                        owner.settle()
                    }
                }
            }
            await open.server?.stop()
            if status != .done { throw status }
        }
    }

    /// Somebody who can be found, and gets money.
    struct MoneyReceive: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "receive",
            abstract: "A phone whose owner can be found and paid; with an air, and a bank unless one is named."
        )

        @Option(help: "What the account's owner is called.")
        var name: String

        @Option(help: ArgumentHelp("A photo that others see, of any size and kind.", valueName: "file"))
        var photo: String?

        @Flag(help: "Be a recipient of the first version: without photo and channel.")
        var older = false

        @OptionGroup var guest: GuestOptions
        @OptionGroup(title: "Bank") var bank: BankOptions
        @OptionGroup(title: "World") var scene: SceneOptions

        func validate() throws { try GuestOptions.checkName(name) }

        func run() async throws {
            let picture: Data?
            do throws(CommandFailure) {
                picture = try GuestOptions.photo(photo)
            } catch {
                throw error.leave(isJSON: scene.json)
            }
            let isLasting = !scene.virtualTime && (bank.bank != nil || bank.own.books != nil)
            var plan = guest.plan(named: name, photo: picture, isLasting: isLasting)
            plan.isOlder = older
            try await MoneySession.run(scene, bank, plans: [plan], plot: .none) { bank in
                "\(name)'s phone, with the bank at \(bank.url)"
            }
        }
    }
#endif
