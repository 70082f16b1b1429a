package import NovaCore

extension UserMessage.Key {
  private static let invalidEmail = Self(
    "signIn.invalidEmail", "This is not an e-mail address. It must look like name@example.com.")
  private static let weakPassword = Self("signIn.weakPassword", "The password must have at least 8 characters.")
  static let longPassword = Self("signIn.longPassword", "The password must have at most 1,024 bytes.")
  static let emptyPassword = Self("signIn.emptyPassword", "The password is empty.")
  private static let invalidUsername = Self(
    "signIn.invalidUsername", "The username must have 3 to 32 characters: letters of A-Z, digits and underscores.")
  private static let wrongCredentials = Self(
    "signIn.wrongCredentials", "The e-mail address or the password is wrong.")
  private static let accountLocked = Self(
    "signIn.accountLocked",
    "The account is locked after too many wrong passwords. Reset the password or ask support.")
  private static let emailTaken = Self(
    "signIn.emailTaken", "An account with this e-mail address already exists. Sign in, or reset the password.")
  private static let usernameTaken = Self("signIn.usernameTaken", "The username is taken. Choose another one.")
  private static let emailOrUsernameTaken = Self(
    "signIn.emailOrUsernameTaken",
    "The e-mail address or the username is taken. Sign in, or choose another username.")
  private static let confirmationPending = Self(
    "signIn.confirmationPending",
    "The e-mail address is not confirmed yet. Open the link in the e-mail, then sign in.")
  static let accountCreated = Self(
    "signIn.accountCreated",
    "The account was created, but its e-mail address must be confirmed first. Open the link in the e-mail, then sign in."
  )
  private static let signInFailed = Self("signIn.failed", "Signing in failed.")
  static let sessionStore = Self("signIn.sessionStore", "Your login could not be read or saved on this device.")

  /// The sentence for a reason.
  static func signIn(_ reason: AuthError.Reason) -> Self {
    switch reason {
    case AuthError.invalidEmail: invalidEmail
    case AuthError.weakPassword: weakPassword
    case AuthError.invalidUsername: invalidUsername
    case AuthError.wrongCredentials: wrongCredentials
    case AuthError.accountLocked: accountLocked
    case AuthError.emailTaken: emailTaken
    case AuthError.usernameTaken: usernameTaken
    case AuthError.emailOrUsernameTaken: emailOrUsernameTaken
    case AuthError.confirmationPending: confirmationPending
    default: signInFailed
    }
  }

  /// The sentences for signing in and up.
  package static let signingIn: [Self] = [
    invalidEmail, weakPassword, longPassword, emptyPassword, invalidUsername, wrongCredentials, accountLocked,
    emailTaken, usernameTaken, emailOrUsernameTaken, confirmationPending, accountCreated, signInFailed, sessionStore,
  ]
}
