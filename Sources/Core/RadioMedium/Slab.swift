/// Values in numbered places that are used again: no search, no hashing, no shifting.
struct Slab<Value> {
    private var places: [Value?] = []
    private var free: [Int] = []

    /// Where the next value will be.
    var nextPlace: Int { free.last ?? places.count }

    mutating func insert(_ value: consuming Value) -> Int {
        if let place = free.popLast() {
            places[place] = value
            return place
        }
        places.append(value)
        return places.count - 1
    }

    mutating func remove(_ place: Int) -> Value {
        guard let value = places[place].take() else { preconditionFailure("place \(place) is empty") }
        free.append(place)
        return value
    }

    subscript(place: Int) -> Value {
        guard let value = places[place] else { preconditionFailure("place \(place) is empty") }
        return value
    }
}

extension Slab: Sendable where Value: Sendable {}
