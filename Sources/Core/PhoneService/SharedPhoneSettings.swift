import BluethroatHost

/// What a phone is like, and what follows from it, in one block: the machines of its service share it, and so do phones that
/// are alike.
package final class SharedPhoneSettings: Sendable {
    package let settings: PhoneSettings
    /// The services that such a phone has by itself, in a database of their own.
    let ownServices: GATTDatabase

    package init(_ settings: PhoneSettings) {
        self.settings = settings
        var access = ServiceDefinition.genericAccess(name: settings.name, appearance: settings.appearance)
        // What no app has is refused.
        if !settings.nameIsReadable { access.characteristics[0].reads = .application }
        // Both have their place in an empty database.
        ownServices = (try? GATTDatabase([access, .genericAttribute])) ?? GATTDatabase()
    }
}
