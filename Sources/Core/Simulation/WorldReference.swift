/// A world, for as long as it is there, for who may outlive it; for the thread that owns the world.
///
/// It does what a weak reference does. One of those would give the world a side table, with which every retain and every
/// release of the world takes some fifty instructions more.
package final class WorldReference {
    // Each access is checked in debug builds only.
    /// Nil from when the world's end begins.
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    package internal(set) unowned(unsafe) var world: World?
}
