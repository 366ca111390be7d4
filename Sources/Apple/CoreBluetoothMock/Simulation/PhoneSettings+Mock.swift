package import BluethroatPhoneService

extension PhoneSettings {
    /// The phone of a simulation: it takes as many writes without response as the original.
    package static var mockPhone: Self {
        var settings = Self()
        settings.name = "Phone"
        settings.writeWindow = 20
        return settings
    }
}
