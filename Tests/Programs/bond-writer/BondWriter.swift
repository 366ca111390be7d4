import BluethroatBondDatabase
import Foundation

/// Saves, changes and removes bonds for as long as it lives, and says of each when it is done:
///
///     bond-writer FILE SEED [PROCESS [COUNT]]
///
/// Each line on standard output, `PEER REVISION`, is a promise: this bond is in the file. Revision 0 is a promise that
/// it is not. A test kills the process and holds the file to the last promise made of each bond.
@main
struct BondWriter {
    static func main() {
        let arguments = CommandLine.arguments
        guard arguments.count >= 3, let seed = UInt64(arguments[2]) else {
            fail("usage: bond-writer FILE SEED [PROCESS [COUNT]]")
        }
        let process = arguments.count > 3 ? UInt64(arguments[3]) ?? 0 : 0
        let count = arguments.count > 4 ? Int(arguments[4]) ?? 0 : .max
        do {
            let database = try BondDatabase(path: arguments[1])
            if let damage = database.damage { fail("\(damage.path) is damaged: \(damage.reason)") }
            var plan = BondPlan(seed: seed, process: process)
            for _ in 0..<count {
                let step = plan.next()
                try step.carryOut(database)
                say("\(step.peer) \(step.revision)\n")
            }
        } catch {
            fail("\(error)")
        }
    }

    private static func say(_ line: String) {
        let bytes = Array(line.utf8)
        if write(STDOUT_FILENO, bytes, bytes.count) != bytes.count { exit(0) }
    }

    private static func fail(_ message: String) -> Never {
        FileHandle.standardError.write(Data((message + "\n").utf8))
        exit(1)
    }
}
