// Names of before, for one version.
extension World {
    @available(*, deprecated, renamed: "addExternalWork(_:)")
    public func addErrand(_ errand: @escaping () -> Void) { addExternalWork(errand) }

    @available(*, deprecated, renamed: "runExternalWork()")
    public func doErrands() { runExternalWork() }

    @available(*, deprecated, renamed: "extensionStorage(orMake:)")
    public func companion<Companion: AnyObject>(orMake make: () -> Companion) -> Companion {
        extensionStorage(orMake: make)
    }
}
