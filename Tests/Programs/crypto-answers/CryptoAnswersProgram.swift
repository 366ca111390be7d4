import BluethroatByteCoding

/// Answers lines of a function and its arguments with the function's results, so that other stacks' cryptography can be
/// held against ours on input nobody has seen before: `f4 U V X Z` in, the result out, all in hexadecimal.
///
/// A line that cannot be answered is answered with `?`. Tests/BluetoothCryptoTests/Vectors/write_bumble_vectors.py says
/// what the functions and their arguments are.
@main
struct CryptoAnswersProgram {
    static func main() {
        while let line = readLine() {
            print(answer(to: line))
        }
    }

    static func answer(to line: String) -> String {
        guard let question = Question(line), let results = try? question.answer() else { return "?" }
        return results.map(\.hex).joined(separator: " ")
    }
}
