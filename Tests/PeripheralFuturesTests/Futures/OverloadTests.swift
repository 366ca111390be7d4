import BluethroatPeripheralFutures
import Dispatch
import Testing

@Suite("Overloads")
struct OverloadTests {
    @Test("Operators of streams are the streams' own, not those of asynchronous sequences")
    func streamOperators() {
        let promise = StreamPromise<Int>()
        let doubled = promise.stream.map(context: ImmediateContext()) { $0 * 2 }
        let texts = promise.stream.map { "\($0)" }
        let more: FutureStream<Int> = promise.stream.flatMap { FutureStream(value: $0) }
        promise.stream.map { $0 + 1 }.onSuccess { _ in }
        promise.success(2)
        #expect(doubled.count == 1)
        #expect(type(of: texts) == FutureStream<String>.self)
        #expect(type(of: more) == FutureStream<Int>.self)
    }

    @Test("A closure behind Future or future is what makes the value, and never the value itself")
    func trailingClosures() async throws {
        let asynchronous = Future { try await Future(value: 1).value }
        let resolved = Future { $0(.success("two")) }
        let immediate = future { 3 }
        let throwing = future { () throws -> Int in throw Mistake() }
        #expect(try await asynchronous.value == 1)
        #expect(resolved.result?.value == "two")
        #expect(try await immediate.value == 3)
        await #expect(throws: Mistake.self) { try await throwing.value }
        #expect(try await future(2 + 2).value == 4)
    }
}
