// The module's name until version 0.2. docs/old-names.md
@_exported public import BluethroatControlPanel
