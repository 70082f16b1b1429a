public import NovaCore

/// Why nobody could be signed in or up, where that is for a person to mend. Everything else (the network, the server)
/// is an ``APIError``.
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
  /// What kind of failure it is. Open: later versions may add reasons.
  public struct Reason: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// A stable name, for example `wrongCredentials`.
    public let rawValue: String

    /// Creates a reason from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    public var description: String { rawValue }
  }

  /// The e-mail address is none.
  public static let invalidEmail = Reason(rawValue: "invalidEmail")
  /// The password is too short, or too long.
  public static let weakPassword = Reason(rawValue: "weakPassword")
  /// The username is not 3 to 32 of `A-Z a-z 0-9 _`.
  public static let invalidUsername = Reason(rawValue: "invalidUsername")
  /// The password is wrong, or nobody has the e-mail address; the server does not tell which.
  public static let wrongCredentials = Reason(rawValue: "wrongCredentials")
  /// The account is locked, as it is after too many wrong passwords.
  public static let accountLocked = Reason(rawValue: "accountLocked")
  /// There is an account with this e-mail address.
  public static let emailTaken = Reason(rawValue: "emailTaken")
  /// Somebody else has the username.
  public static let usernameTaken = Reason(rawValue: "usernameTaken")
  /// E-mail address or username is taken, and the server did not say which.
  public static let emailOrUsernameTaken = Reason(rawValue: "emailOrUsernameTaken")
  /// The account is there and waits for its e-mail address to be confirmed; there is no session yet.
  public static let confirmationPending = Reason(rawValue: "confirmationPending")

  /// What kind of failure it is.
  public let reason: Reason
  /// What happened and what to do, in a sentence for the person who signs in.
  public let message: String
  /// The call that told, if one was made.
  public let underlying: APIError?

  init(_ reason: Reason, _ message: String? = nil, underlying: APIError? = nil) {
    self.reason = reason
    self.message = message ?? Self.sentences[reason] ?? "Signing in failed."
    self.underlying = underlying
  }

  private static let sentences: [Reason: String] = [
    invalidEmail: "This is not an e-mail address. It should look like name@example.com.",
    weakPassword: "The password must have at least 8 characters.",
    invalidUsername: "The username must have 3 to 32 characters: letters of A-Z, digits and underscores.",
    wrongCredentials: "The e-mail address or the password is wrong.",
    accountLocked: "The account is locked after too many wrong passwords. Reset the password or ask support.",
    emailTaken: "There is an account with this e-mail address already. Sign in, or reset the password.",
    usernameTaken: "The username is taken. Choose another one.",
    emailOrUsernameTaken: "The e-mail address or the username is taken. Sign in, or choose another username.",
    confirmationPending: "The e-mail address is not confirmed yet. Open the link in the e-mail, then sign in.",
  ]
}

extension AuthError {
  /// The sentence, and in brackets the call that told.
  public var description: String { underlying.map { "\(message) (\($0))" } ?? message }
}

extension AuthError.Reason {
  /// Makes `catch AuthError.wrongCredentials` work.
  public static func ~= (reason: AuthError.Reason, error: any Error) -> Bool {
    (error as? AuthError)?.reason == reason
  }
}
