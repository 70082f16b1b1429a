import NovaCrypto

/// Whose call it is: a gateway, and a user there, the holder of a token whose user is unknown, or nobody.
///
/// The identity of a call is fixed when the call begins. Everything that calls share is kept apart by it: event
/// connections, requests in progress, cached responses, stored records, queued writes, unfinished transfers. Use it to key
/// what your program keeps for its users.
///
/// ```swift
/// let identity = try await nova.identity
/// profiles[identity] = try await nova.users.getProfile(userId: id)
/// ```
///
/// Two identities are equal if gateway and caller are. A user is the same with every token and in every session; a token
/// whose user is unknown is a caller of its own, whatever it claims about itself.
public struct Identity: Sendable, Hashable {
  /// Who makes a call.
  public enum Caller: Sendable, Hashable {
    /// A user, by ID.
    case user(String)
    /// The holder of a token whose user is unknown, by the token's SHA-256 in hexadecimal, from which the token cannot be
    /// computed.
    case token(fingerprint: String)
    /// Nobody: calls without a token.
    case anonymous

    /// Users are compared by the bytes of their IDs: Unicode can write one text in two ways, and to a server, these are two
    /// users.
    public static func == (left: Caller, right: Caller) -> Bool {
      switch (left, right) {
      case (.user(let left), .user(let right)): left.hasSameBytes(as: right)
      case (.token(let left), .token(let right)): left.hasSameBytes(as: right)
      case (.anonymous, .anonymous): true
      default: false
      }
    }

    public func hash(into hasher: inout Hasher) {
      switch self {
      case .user(let id): hasher.combine(bytesOf: id)
      case .token(let fingerprint): hasher.combine(bytesOf: fingerprint)
      case .anonymous: hasher.combine(0)
      }
    }
  }

  /// The gateway: the origin and path of its base URL, for example `https://api.nova.social`; `mock:` for a mock backend.
  public let gateway: String
  /// Who makes the call.
  public let caller: Caller

  /// Creates an identity from its parts.
  public init(gateway: String, caller: Caller) {
    self.gateway = gateway
    self.caller = caller
  }

  /// The identity of calls that carry a token; without one, nobody's.
  ///
  /// - Throws: ``APIError`` `failedPrecondition` if the token's user is unknown and the system has no libcrypto.
  init(gateway: String, token: AccessToken?) throws(APIError) {
    self.gateway = gateway
    guard let token else {
      caller = .anonymous
      return
    }
    caller = if let user = token.user { .user(user) } else { .token(fingerprint: try token.fingerprint) }
  }

  /// The user's ID; nil if it is unknown, or if there is none.
  public var user: String? { if case .user(let id) = caller { id } else { nil } }

  /// Whether calls carry no token.
  public var isAnonymous: Bool { caller == .anonymous }
}

extension Identity: CustomStringConvertible {
  /// For messages; no secret.
  public var description: String {
    switch caller {
    case .user(let id): "\(id.printable(to: 80)) at \(gateway)"
    case .token(let fingerprint): "the holder of token \(fingerprint.prefix(8))… at \(gateway)"
    case .anonymous: "nobody at \(gateway)"
    }
  }
}

extension AccessToken {
  fileprivate var fingerprint: String {
    get throws(APIError) {
      do { return Hexadecimal.encode(try SHA256.digest(of: Array(secretValue.utf8))) } catch {
        throw APIError(.failedPrecondition, "the token's holder cannot be told from others", reason: "\(error)")
      }
    }
  }
}
