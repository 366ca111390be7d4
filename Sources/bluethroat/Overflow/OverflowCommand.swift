import ArgumentParser

/// Everything about the overflow area of iPhones' advertisements.
struct OverflowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "overflow",
        abstract: "Carry data in the overflow area, where iPhones put what apps in the background advertise.",
        subcommands: commands
    )

    private static var commands: [any ParsableCommand.Type] {
        var commands: [any ParsableCommand.Type] = [OverflowAnalyseCommand.self]
        #if canImport(Phones)
            commands = [OverflowDemoCommand.self] + commands
            commands += [OverflowEncodeCommand.self, OverflowDecodeCommand.self]
        #endif
        #if canImport(OverflowStudy)
            commands.append(StudyCommand.self)
        #endif
        return commands
    }
}
