package import BluethroatRadioMedium

/// How something moves: told how much time has passed, it knows where it is.
package protocol Walk {
    var position: Position { get }

    /// Goes on for so many seconds.
    mutating func walk(for seconds: Double)
}

/// Stays where it is.
package struct Standing: Walk {
    package let position: Position

    package init(at position: Position) { self.position = position }

    package mutating func walk(for seconds: Double) {}
}
