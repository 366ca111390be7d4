import Testing

/// Says what a fuzzed world promises. A promise that is broken fails the test, or ends the fuzzer's process so that the
/// fuzzer keeps the input.
public func hold(
    _ isKept: Bool,
    _ promise: @autoclosure () -> String = "",
    fileID: String = #fileID,
    filePath: String = #filePath,
    line: Int = #line,
    column: Int = #column
) {
    guard !isKept else { return }
    #if FUZZING
        fatalError("a promise is broken at \(fileID):\(line): \(promise())")
    #else
        let location = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
        Issue.record(Comment(rawValue: promise()), sourceLocation: location)
    #endif
}
