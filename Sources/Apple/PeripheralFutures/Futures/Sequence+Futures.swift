extension Sequence where Iterator.Element: Futurable {
    /// Combines the values one after the other. The first failure, in the order of the futures, fails the result.
    public func fold<R>(
        context: any ExecutionContext = QueueContext.futuresDefault,
        initial: R,
        combine: @escaping (R, Iterator.Element.T) throws -> R
    ) -> Future<R> {
        reduce(Future<R>(value: initial)) { accumulated, element in
            accumulated.flatMap(context: ImmediateContext()) { value in
                element.map(context: context) { try combine(value, $0) }
            }
        }
    }

    /// All values in the order of the futures, or the first failure in that order.
    public func sequence(context: any ExecutionContext = QueueContext.futuresDefault) -> Future<[Iterator.Element.T]> {
        traverse(context: context) { $0 }
    }
}

extension Sequence {
    /// The values of the futures that the elements are mapped to, in order, or the first failure.
    public func traverse<U, F: Futurable>(
        context: any ExecutionContext = QueueContext.futuresDefault,
        mapping: (Iterator.Element) -> F
    ) -> Future<[U]> where F.T == U {
        let values = Guarded<[U]>([])
        return map(mapping).fold(context: context, initial: ()) { _, value in values.withLock { $0.append(value) } }
            .map(context: ImmediateContext()) { values.withLock { $0 } }
    }
}
