#if canImport(BluethroatLive)
    import BluethroatHCITransports
    public import BluethroatLive

    extension LiveSessionSettings {
        /// An air in real time with a port that nobody else has, and no control panel.
        public static var realTime: Self {
            var settings = Self(radio: .air(listeningOn: .tcp(HostPort(host: "127.0.0.1", port: 0))))
            settings.seed = 1
            settings.panel = nil
            return settings
        }

        /// The same with a time that passes only when somebody says so.
        public static var virtualTime: Self {
            var settings = realTime
            settings.isVirtual = true
            return settings
        }
    }
#endif
