import BluethroatPeripheralFutures
import Testing

struct Mistake: Error, Equatable {
    var number = 0
}

@Suite("Try")
struct TryTests {
    let good = Try(1)
    let bad = Try<Int>(Mistake())

    @Test("It is made of a value, of an error, or of what a closure returns or throws")
    func making() {
        #expect(Try { 5 }.value == 5 && Try { 5 }.error == nil)
        #expect(Try<Int> { throw Mistake() }.error as? Mistake == Mistake())
        #expect(good.isSuccess() && !good.isFailure() && bad.isFailure() && !bad.isSuccess())
        #expect(bad.value == nil)
    }

    @Test("Values are mapped, errors pass; what is thrown is an error")
    func mapping() {
        #expect(good.map { $0 + 1 }.value == 2 && bad.map { $0 + 1 }.error as? Mistake == Mistake())
        #expect(good.map { _ -> Int in throw Mistake(number: 2) }.error as? Mistake == Mistake(number: 2))
        #expect(good.flatMap { Try("\($0)") }.value == "1")
        #expect(good.flatMap { _ -> Try<Int> in throw Mistake(number: 3) }.error as? Mistake == Mistake(number: 3))
        #expect(bad.mapError { _ in Mistake(number: 4) }.error as? Mistake == Mistake(number: 4))
        #expect(good.mapError { _ in Mistake(number: 4) }.value == 1)
    }

    @Test("Errors are recovered from; what is thrown meanwhile is the error")
    func recovering() {
        #expect(bad.recover { _ in 7 }.value == 7 && good.recover { _ in 7 }.value == 1)
        #expect(bad.recover { _ in throw Mistake(number: 5) }.error as? Mistake == Mistake(number: 5))
        #expect(bad.recoverWith { _ in Try(8) }.value == 8 && good.recoverWith { _ in Try(8) }.value == 1)
        #expect(bad.recoverWith { _ in throw Mistake(number: 6) }.error as? Mistake == Mistake(number: 6))
        #expect(bad.orElse(Try(9)).value == 9 && good.orElse(Try(9)).value == 1)
        #expect(bad.getOrElse(9) == 9 && (bad ?? 9) == 9 && (good ?? 9) == 1)
    }

    @Test("What a filter does not let pass is a missing element")
    func filtering() {
        #expect(good.filter { $0 == 1 }.value == 1)
        #expect(good.filter { $0 == 2 }.error as? FuturesError == .noSuchElement)
        #expect(good.filter { _ in throw Mistake() }.error as? Mistake == Mistake())
        #expect(bad.filter { _ in true }.error as? Mistake == Mistake())
    }

    @Test("Something is done with a value, and what that throws is dropped")
    func doing() {
        var values: [Int] = []
        good.forEach { values.append($0) }
        bad.forEach { values.append($0) }
        good.forEach { _ in throw Mistake() }
        #expect(values == [1])
    }

    @Test("It becomes an optional or a result")
    func conversions() throws {
        #expect(good.toOptional() == 1 && bad.toOptional() == nil)
        #expect(try good.asResult.get() == 1)
        #expect(throws: Mistake.self) { try bad.asResult.get() }
    }

    @Test("Several become one, of all values or with the first error")
    func sequence() {
        #expect([Try(1), Try(2)].sequence().value == [1, 2])
        let failed = [good, Try(Mistake(number: 1)), Try(Mistake(number: 2))].sequence()
        #expect(failed.error as? Mistake == Mistake(number: 1))
    }

    @Test("Optionals have a filter and a loop")
    func optionals() {
        #expect(Optional(3).filter { $0 > 2 } == 3 && Optional(3).filter { $0 > 3 } == nil)
        #expect(Optional<Int>.none.filter { _ in true } == nil)
        var values: [Int] = []
        Optional(3).forEach { values.append($0) }
        Optional<Int>.none.forEach { values.append($0) }
        #expect(values == [3])
        #expect(throws: Mistake.self) { try Optional(3).filter { _ in throw Mistake() } }
    }

    @Test("The codes of errors are those that code written for the API may know")
    func errors() {
        #expect(FuturesError.noSuchElement.rawValue == 0 && FuturesError.invalidValue.rawValue == 1)
    }
}
