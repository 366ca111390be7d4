import BluethroatHCITransports
import BluethroatListening

extension HCIListeningPlace {
    var listening: ListeningPlace {
        switch self {
        case .tcp(let address): .tcp(host: address.host, port: address.port)
        case .unix(let path): .unix(path: path)
        case .pty(let path): .terminal(path: path)
        }
    }

    func with(port: Int) -> Self {
        guard case .tcp(let address) = self else { return self }
        return .tcp(HostPort(host: address.host, port: port))
    }
}
