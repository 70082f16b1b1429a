public import NovaCore

/// A failed sign-in or sign-up that the user can fix. Other failures (the network, the server) are an ``APIError``.
///
/// ```swift
/// do {
///   session = try await auth.signIn(email: email, password: password)
/// } catch AuthError.wrongCredentials {
///   // ask again
/// } catch let error as AuthError {
///   show(error.message)
/// }
/// ```
public struct AuthError: NovaError {
  /// The reason of a failure. Open: later versions may add reasons.
  public struct Reason: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// A stable name, for example `wrongCredentials`.
    public let rawValue: String

    /// Creates a reason from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    public var description: String { rawValue }
  }

  /// The e-mail address is invalid.
  public static let invalidEmail = Reason(rawValue: "invalidEmail")
  /// The password is too short or too long.
  public static let weakPassword = Reason(rawValue: "weakPassword")
  /// The username is not 3 to 32 of `A-Z a-z 0-9 _`.
  public static let invalidUsername = Reason(rawValue: "invalidUsername")
  /// The password is wrong, or no account has the e-mail address; the server does not report which.
  public static let wrongCredentials = Reason(rawValue: "wrongCredentials")
  /// The account is locked after too many wrong passwords.
  public static let accountLocked = Reason(rawValue: "accountLocked")
  /// Another account has the e-mail address.
  public static let emailTaken = Reason(rawValue: "emailTaken")
  /// Another account has the username.
  public static let usernameTaken = Reason(rawValue: "usernameTaken")
  /// The e-mail address or the username is taken; the server did not report which.
  public static let emailOrUsernameTaken = Reason(rawValue: "emailOrUsernameTaken")
  /// The account exists, but its e-mail address must be confirmed first; there is no session yet.
  public static let confirmationPending = Reason(rawValue: "confirmationPending")

  /// The reason of the failure.
  public let reason: Reason
  /// The error of the call, if one was made.
  public let underlying: APIError?
  package let userMessageKey: UserMessage.Key

  @inline(never)
  init(_ reason: Reason, _ message: UserMessage.Key? = nil, underlying: APIError? = nil) {
    self.reason = reason
    self.userMessageKey = message ?? .signIn(reason)
    self.underlying = underlying
  }
}

extension AuthError: UserFacingError {
  /// What happened and what to do, as a sentence for the user of an app, in the language of ``UserMessage``.
  public var message: String { UserMessage.text(userMessageKey) }

  /// The ``message``, which makes it the `localizedDescription`.
  public var errorDescription: String? { message }

  /// The sentence in English, followed by the call's error in parentheses.
  public var description: String {
    let sentence = userMessageKey.english
    return underlying.map { "\(sentence) (\($0))" } ?? sentence
  }
}

extension AuthError.Reason {
  /// Makes `catch AuthError.wrongCredentials` work.
  public static func ~= (reason: AuthError.Reason, error: any Error) -> Bool {
    (error as? AuthError)?.reason == reason
  }
}
