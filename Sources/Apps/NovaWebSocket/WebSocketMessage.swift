/// A complete, validated message.
public enum WebSocketMessage: Sendable, Hashable {
  /// Valid UTF-8.
  case text(String)
  /// Any bytes.
  case binary([UInt8])
}

/// The reason for closing a connection: a code of RFC 6455, of its registry, or of an application (4000 to 4999).
public struct WebSocketCloseCode: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
  /// The code, 0 to 65535.
  public let rawValue: UInt16

  /// Creates a code from its number.
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  public var description: String { String(rawValue) }

  /// 1000: the connection has served its purpose.
  public static let normal = Self(rawValue: 1000)
  /// 1001: the server stops, or the user leaves the page.
  public static let goingAway = Self(rawValue: 1001)
  /// 1002: the peer violated the protocol.
  public static let protocolError = Self(rawValue: 1002)
  /// 1003: the peer does not accept messages of this type.
  public static let unsupportedData = Self(rawValue: 1003)
  /// 1005: the peer sent no code. This code is never sent.
  public static let noCode = Self(rawValue: 1005)
  /// 1007: a text was not UTF-8.
  public static let invalidText = Self(rawValue: 1007)
  /// 1008: the message violates a policy.
  public static let policyViolation = Self(rawValue: 1008)
  /// 1009: a message was too large.
  public static let messageTooLarge = Self(rawValue: 1009)
  /// 1011: the server failed.
  public static let serverError = Self(rawValue: 1011)
  /// 1012: the server restarts.
  public static let restart = Self(rawValue: 1012)
  /// 1013: try again later.
  public static let tryAgainLater = Self(rawValue: 1013)

  /// Whether the code may be sent. Some codes only describe how a connection ended.
  public var isSendable: Bool {
    switch rawValue {
    case 1000...1003, 1007...1014, 3000...4999: true
    default: false
    }
  }
}

/// The end of a connection that one side closed with a close frame.
public struct WebSocketClosure: Sendable, Hashable {
  /// The peer's code; ``WebSocketCloseCode/noCode`` if absent.
  public var code: WebSocketCloseCode
  /// The peer's reason, at most 123 bytes. Often empty.
  public var reason: String

  /// Creates a closure.
  public init(code: WebSocketCloseCode, reason: String = "") { (self.code, self.reason) = (code, reason) }
}
