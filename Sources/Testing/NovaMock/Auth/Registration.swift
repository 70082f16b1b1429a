import NovaAuth
import NovaCore
import NovaUsers

/// A validated request for an account.
struct Registration {
  let email: String
  let username: String
  let password: String

  init(_ request: RegisterRequest, _ state: MockState) throws(MockFailure) {
    guard Self.isEmail(request.email) else { throw MockFailure(.invalidArgument, "email is not an e-mail address") }
    guard request.email.utf8.count <= 254 else {
      throw MockFailure(.invalidArgument, "email must have at most 254 bytes")
    }
    guard Self.isUsername(request.username) else {
      throw MockFailure(.invalidArgument, "username must have only letters, digits and underscores of ASCII")
    }
    // The rules for all requests already check minimum lengths.
    guard request.password.utf8.count <= 1024 else {
      throw MockFailure(.invalidArgument, "password must have at most 1,024 bytes")
    }
    guard state.auth.account(email: request.email) == nil else {
      throw MockFailure(.alreadyExists, "the e-mail address is taken", reason: "EMAIL_TAKEN")
    }
    guard !state.users.hasUsername(request.username) else {
      throw MockFailure(.alreadyExists, "the username is taken", reason: "USERNAME_TAKEN")
    }
    email = request.email
    username = request.username
    password = request.password
  }

  /// The mock sends no mail, so the address decides: `someone+unconfirmed@…` and `…@unconfirmed.example` stay
  /// unconfirmed.
  var isEmailConfirmed: Bool {
    let email = email.lowercased()
    return !email.contains("+unconfirmed@") && !email.hasSuffix("@unconfirmed.example")
  }

  private static func isUsername(_ name: String) -> Bool {
    name.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "_") }
  }

  /// Whether a text has the form of an address.
  private static func isEmail(_ text: String) -> Bool {
    // By code points: in a character, a combining one can follow the separator.
    let parts = text.unicodeScalars.split(separator: "@", omittingEmptySubsequences: false)
    let isPrintable = text.unicodeScalars.allSatisfy {
      !$0.properties.isWhitespace && $0.value >= 0x20 && $0 != "\u{FEFF}"
    }
    guard parts.count == 2, !parts[0].isEmpty, isPrintable else { return false }
    let labels = parts[1].split(separator: ".", omittingEmptySubsequences: false)
    return labels.count >= 2 && labels.allSatisfy { !$0.isEmpty }
  }
}

extension MockState {
  /// Creates the account and its profile.
  mutating func register(_ registration: Registration) throws(MockFailure) -> Account {
    let id = auth.makeUserID()
    let account = Account(
      userID: id, email: registration.email, username: registration.username, createdAt: now,
      password: try passwordHash(registration.password, registration.email),
      isEmailConfirmed: registration.isEmailConfirmed)
    auth.set(account)
    users.add(UserProfile(id: id, username: account.username, createdAt: now, updatedAt: now))
    return account
  }
}
