/// Something that has a value or an error.
public protocol Tryable {
    associatedtype T

    var value: T? { get }
    var error: (any Error)? { get }

    init(_ value: T)
    init(_ error: any Error)

    func map<M>(_ mapping: (T) throws -> M) -> Try<M>
}

/// A value, or the error for which there is none. What a closure throws becomes a failure.
public enum Try<T>: Tryable {
    case success(T)
    case failure(any Error)

    public init(_ value: T) { self = .success(value) }

    public init(_ error: any Error) { self = .failure(error) }

    /// What a closure returns or throws.
    public init(_ task: () throws -> T) {
        do { self = .success(try task()) } catch { self = .failure(error) }
    }

    public var value: T? { if case .success(let value) = self { value } else { nil } }

    public var error: (any Error)? { if case .failure(let error) = self { error } else { nil } }

    public func isSuccess() -> Bool { error == nil }

    public func isFailure() -> Bool { error != nil }
}

extension Try: Sendable where T: Sendable {}

extension Try {
    public func map<M>(_ mapping: (T) throws -> M) -> Try<M> {
        flatMap { .success(try mapping($0)) }
    }

    public func flatMap<M>(_ mapping: (T) throws -> Try<M>) -> Try<M> {
        switch self {
        case .success(let value): do { return try mapping(value) } catch { return .failure(error) }
        case .failure(let error): return .failure(error)
        }
    }

    public func mapError(_ mapping: (any Error) -> any Error) -> Try<T> {
        recoverWith { .failure(mapping($0)) }
    }

    public func recover(_ recovery: (any Error) throws -> T) -> Try<T> {
        recoverWith { .success(try recovery($0)) }
    }

    public func recoverWith(_ recovery: (any Error) throws -> Try<T>) -> Try<T> {
        guard case .failure(let error) = self else { return self }
        do { return try recovery(error) } catch { return .failure(error) }
    }

    /// Fails with `FuturesError.noSuchElement` if the value does not pass.
    public func filter(_ predicate: (T) throws -> Bool) -> Try<T> {
        flatMap { try predicate($0) ? self : .failure(FuturesError.noSuchElement) }
    }

    /// Does something with the value, if there is one. What is thrown is dropped.
    public func forEach(_ apply: (T) throws -> Void) { _ = map(apply) }

    public func orElse(_ failed: Try<T>) -> Try<T> { isSuccess() ? self : failed }

    public func toOptional() -> T? { value }

    public func getOrElse(_ failed: T) -> T { if case .success(let value) = self { value } else { failed } }

    /// For code that has results.
    public var asResult: Result<T, any Error> {
        switch self {
        case .success(let value): .success(value)
        case .failure(let error): .failure(error)
        }
    }
}

/// The value, or another one if there is none.
public func ?? <T>(left: Try<T>, right: T) -> T { left.getOrElse(right) }

extension Sequence where Iterator.Element: Tryable {
    /// All values, or the first error.
    public func sequence() -> Try<[Iterator.Element.T]> {
        var values: [Iterator.Element.T] = []
        for element in self {
            let taken = element.map { values.append($0) }
            if case .failure(let error) = taken { return .failure(error) }
        }
        return .success(values)
    }
}
