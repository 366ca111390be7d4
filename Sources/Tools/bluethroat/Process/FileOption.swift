import ArgumentParser

/// Options that name files and folders, which shells complete.
extension Option where Value == String? {
    init(file help: String, valueName: String = "file") {
        self.init(help: ArgumentHelp(help, valueName: valueName), completion: .file())
    }

    init(folder help: String, valueName: String = "folder") {
        self.init(help: ArgumentHelp(help, valueName: valueName), completion: .directory)
    }
}

extension Option where Value == String {
    init(file help: String) { self.init(help: ArgumentHelp(help, valueName: "file"), completion: .file()) }
}
