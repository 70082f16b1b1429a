import NovaCoding
import NovaCore
import NovaCrypto

/// Names the account that stored facts and waiting writes belong to.
enum AccountName {
  /// The name for the user of a session, or else for a token: its subject if it is a JSON Web Token, and otherwise a
  /// fingerprint, from which the token cannot be found. Empty for nobody.
  ///
  /// - Throws: ``CryptoError`` if the fingerprint cannot be computed.
  static func text(_ identity: Identity) -> String {
    switch identity.caller {
    case .user(let id): "user:\(id)"
    case .token(let fingerprint): "token:\(fingerprint)"
    case .anonymous: ""
    }
  }

  /// Whether a name is that of a token which names no user, at the gateway of another name: whose it is cannot be told.
  static func isOfUnnamedToken(_ name: String, atGatewayOf other: String) -> Bool {
    guard name.hasPrefix("token:"), let start = name.utf8.firstIndex(of: UInt8(ascii: " ")) else { return false }
    return other.hasSuffix(String(name[start...]))
  }
}
