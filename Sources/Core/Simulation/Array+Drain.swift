extension Array {
    /// Hands each element over, the first one first, and keeps the storage for the next ones.
    ///
    /// Most lists of actions hold one element. It is moved out, where a loop would copy it and destroy the list's own.
    @inline(__always)
    mutating func drain(_ take: (consuming Element) -> Void) {
        if count == 1 { return take(removeLast()) }
        guard !isEmpty else { return }
        for element in self { take(element) }
        removeAll(keepingCapacity: true)
    }

    /// The list itself, which is empty from now on: what happens to its elements may fill it anew.
    @inline(__always)
    mutating func takeOut() -> [Element] {
        var list: [Element] = []
        swap(&list, &self)
        return list
    }

    /// Keeps the storage of a list that was taken out, and is empty now, unless there is a new one.
    @inline(__always)
    mutating func putBack(_ emptied: inout [Element]) { if isEmpty { swap(&self, &emptied) } }
}
