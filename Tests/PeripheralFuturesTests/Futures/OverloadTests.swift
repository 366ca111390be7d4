import Dispatch
import PeripheralFutures
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
}
