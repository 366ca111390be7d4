/// One thing that is fuzzed: what an input is fed to, and what is promised whatever the input is.
///
/// `make fuzz-coverage` looks for inputs that reach new code; tests play the inputs kept in `Fuzzing/Corpora`.
public struct FuzzTarget: Sendable, CustomStringConvertible {
    /// What is fed. It says how many inputs are wanted: decoders are asked for a number, machines for a time.
    public enum Kind: String, Sendable {
        /// A function of the bytes alone.
        case decoder
        /// A machine or a world that lives through a sequence, or files that are written, locked and read again.
        case machine
    }

    /// The name on the command line, and of the folder of its corpus.
    public let name: String
    public let kind: Kind
    /// The length of the longest input, in bytes.
    public let limit: Int
    /// Plays one input. It throws or traps if a promise is broken; broken promises are told to `hold`, too.
    public let play: @Sendable ([UInt8]) throws -> Void

    /// A function of bytes.
    public init(decoder name: String, upTo limit: Int = 300, play: @escaping @Sendable ([UInt8]) throws -> Void) {
        self.init(name, .decoder, limit, play)
    }

    /// What comes of a file of these bytes.
    public init(file name: String, upTo limit: Int = 300, play: @escaping @Sendable ([UInt8]) throws -> Void) {
        self.init(name, .machine, limit, play)
    }

    /// A sequence of which each step is a few choices.
    public init(
        machine name: String,
        upTo limit: Int = 1_000,
        play: @escaping @Sendable (inout FuzzInput) throws -> Void
    ) {
        self.init(name, .machine, limit) { bytes in
            var input = FuzzInput(bytes)
            try play(&input)
        }
    }

    private init(
        _ name: String,
        _ kind: Kind,
        _ limit: Int,
        _ play: @escaping @Sendable ([UInt8]) throws -> Void
    ) {
        self.name = name
        self.kind = kind
        self.limit = limit
        self.play = play
    }

    public var description: String { name }
}
