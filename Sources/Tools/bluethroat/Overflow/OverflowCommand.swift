import ArgumentParser

/// Everything about the overflow area of iPhones' advertisements.
struct OverflowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "overflow",
        abstract: "Carry data in the overflow area, where iPhones put what apps in the background advertise.",
        subcommands: [
            OverflowDemoCommand.self, OverflowAnalyseCommand.self, OverflowEncodeCommand.self,
            OverflowDecodeCommand.self, StudyCommand.self,
        ]
    )
}
