public import BluethroatSimulation

/// A world can be run in real time.
extension World: TimedMachine {}
