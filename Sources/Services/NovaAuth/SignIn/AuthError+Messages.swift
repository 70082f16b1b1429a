package import NovaCore

extension UserMessage.Key {
  /// The sentence for each reason. Its name is the reason's, such as `signIn.wrongCredentials`.
  private static let sentences: [(reason: AuthError.Reason, english: String)] = [
    (AuthError.invalidEmail, "This is not an e-mail address. It must look like name@example.com."),
    (AuthError.weakPassword, "The password must have at least 8 characters."),
    (
      AuthError.invalidUsername,
      "The username must have 3 to 32 characters: letters of A-Z, digits and underscores."
    ),
    (AuthError.wrongCredentials, "The e-mail address or the password is wrong."),
    (
      AuthError.accountLocked,
      "The account is locked after too many wrong passwords. Reset the password or ask support."
    ),
    (AuthError.emailTaken, "An account with this e-mail address already exists. Sign in, or reset the password."),
    (AuthError.usernameTaken, "The username is taken. Choose another one."),
    (
      AuthError.emailOrUsernameTaken,
      "The e-mail address or the username is taken. Sign in, or choose another username."
    ),
    (
      AuthError.confirmationPending,
      "The e-mail address is not confirmed yet. Open the link in the e-mail, then sign in."
    ),
  ]

  static let longPassword = Self("signIn.longPassword", "The password must have at most 1,024 bytes.")
  static let emptyPassword = Self("signIn.emptyPassword", "The password is empty.")
  static let accountCreated = Self(
    "signIn.accountCreated",
    "The account was created, but its e-mail address must be confirmed first. Open the link in the e-mail, then sign in."
  )
  private static let signInFailed = Self("signIn.failed", "Signing in failed.")
  static let sessionStore = Self("signIn.sessionStore", "Your login could not be read or saved on this device.")

  /// The sentence for a reason.
  static func signIn(_ reason: AuthError.Reason) -> Self {
    guard let english = sentences.first(where: { $0.reason == reason })?.english else { return signInFailed }
    return Self("signIn.\(reason)", english)
  }

  /// The sentences for signing in and up.
  package static let signingIn: [Self] =
    sentences.map { signIn($0.reason) } + [longPassword, emptyPassword, accountCreated, signInFailed, sessionStore]
}
