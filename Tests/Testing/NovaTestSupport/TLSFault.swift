/// What may be wrong with a server's certificate; see ``NginxServer``. The rest of what servers do wrong is `Fault`.
public enum TLSFault: String, Sendable, CaseIterable, CustomStringConvertible {
  case expired = "tls-expired"
  case notYetValid = "tls-not-yet-valid"
  case selfSigned = "tls-self-signed"
  case wrongHost = "tls-wrong-host"
  case unknownAuthority = "tls-unknown-authority"

  /// For the row of a table.
  public var name: String { rawValue }
  public var description: String { rawValue }

  /// One sentence that says what the server shows.
  public var summary: String {
    switch self {
    case .expired: "The server's certificate ran out in 2020."
    case .notYetValid: "The server's certificate is valid from 2090 on."
    case .selfSigned: "The server's certificate is signed by itself."
    case .wrongHost: "The server's certificate is for another host."
    case .unknownAuthority: "The server's certificate is signed by an authority that the client does not trust."
    }
  }
}
