/// Values that come and leave, each under an `Arrival` that never names another one.
///
/// A place whose value has left is used again, so that the table is as large as the most values that were there at
/// once, and shrinks when those of the last places leave. To look a value up is one comparison; an arrival whose value
/// has left is refused, even if its place is used again.
public struct ArrivalTable<Value> {
    @usableFromInline
    struct Place {
        @usableFromInline
        var number: UInt32
        @usableFromInline
        var value: Value?

        @inlinable
        init(number: UInt32, value: Value) {
            self.number = number
            self.value = value
        }
    }

    @usableFromInline
    var places: [Place] = []
    /// Places to be used again, the next one last. Some may have been given up or used meanwhile.
    @usableFromInline
    var free: [UInt32] = []
    @usableFromInline
    var nextNumber: UInt32
    /// Whether numbers have begun anew, so that one may be in use still.
    @usableFromInline
    var hasWrapped = false
    @usableFromInline
    var valueCount = 0

    /// How many values are there.
    @inlinable
    public var count: Int { valueCount }

    public init() { self.init(firstNumber: 0) }

    init(firstNumber: UInt32) { nextNumber = firstNumber }

    /// How many places the table has, those without a value included.
    public var placeCount: Int { places.count }

    /// What the value that comes next will be named.
    @inlinable
    public var next: Arrival {
        Arrival(number: nextNumber, place: free.last { isFree($0) } ?? UInt32(places.count))
    }

    @inlinable
    public mutating func insert(_ value: Value) -> Arrival {
        let arrival = next
        let place = Int(arrival.place)
        while let last = free.popLast(), last != arrival.place {}
        if place < places.count {
            places[place] = Place(number: arrival.number, value: value)
        } else {
            places.append(Place(number: arrival.number, value: value))
        }
        valueCount += 1
        nextNumber &+= 1
        hasWrapped = hasWrapped || nextNumber == 0
        if hasWrapped { while find(number: nextNumber) != nil { nextNumber &+= 1 } }
        return arrival
    }

    /// The value, or nil if it has left.
    @inlinable
    public subscript(arrival: Arrival) -> Value? {
        let place = Int(arrival.place)
        guard place < places.count, places[place].number == arrival.number else { return nil }
        return places[place].value
    }

    /// Whether the value is there.
    @inlinable
    public func contains(_ arrival: Arrival) -> Bool {
        let place = Int(arrival.place)
        guard place < places.count, places[place].number == arrival.number, case .some = places[place].value else {
            return false
        }
        return true
    }

    /// A value that is there, to be changed in its place.
    @inlinable
    public subscript(present arrival: Arrival) -> Value {
        get {
            guard let value = self[arrival] else { preconditionFailure("number \(arrival.number) has left") }
            return value
        }
        _modify {
            precondition(contains(arrival), "number \(arrival.number) has left")
            yield &places[Int(arrival.place)].value!
        }
    }

    /// Takes a value out and answers it; nil if it has left already.
    @discardableResult
    public mutating func remove(_ arrival: Arrival) -> Value? {
        guard let value = self[arrival] else { return nil }
        let place = Int(arrival.place)
        places[place].value = nil
        valueCount -= 1
        if place == places.count - 1 { dropLastPlaces() } else { free.append(arrival.place) }
        return value
    }

    /// The arrival with this number if its value is there, wherever the table keeps it.
    @inlinable
    public func find(number: UInt32) -> Arrival? {
        let likely = Arrival(number: number)
        if contains(likely) { return likely }
        for (index, place) in places.enumerated() where place.number == number && place.value != nil {
            return Arrival(number: number, place: UInt32(index))
        }
        return nil
    }

    /// All that are there, in the order of their numbers.
    public var arrivals: [Arrival] {
        places.indices.compactMap { index in
            places[index].value == nil ? nil : Arrival(number: places[index].number, place: UInt32(index))
        }.sorted()
    }

    /// Goes on with another number, which no value has that is there: where numbers are given out elsewhere, and for
    /// tests of what happens after the last one.
    package mutating func skip(to number: UInt32) { nextNumber = number }

    @inlinable
    func isFree(_ place: UInt32) -> Bool { place < places.count && places[Int(place)].value == nil }

    private mutating func dropLastPlaces() {
        while let last = places.last, last.value == nil { places.removeLast() }
        guard places.capacity > 256, places.count < places.capacity / 4 else { return }
        // A copy of its own, as large as it needs to be.
        var smaller: [Place] = []
        smaller.append(contentsOf: places)
        places = smaller
        free = free.filter { $0 < places.count }
    }
}

extension ArrivalTable: Sendable where Value: Sendable {}
extension ArrivalTable.Place: Sendable where Value: Sendable {}
