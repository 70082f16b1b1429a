import NovaAuth
import NovaCore
import NovaUsers

extension RegisterRequest {
  /// Throws unless an account can be created.
  fileprivate func check(_ state: MockState) throws(MockFailure) {
    guard Self.isEmail(email) else { throw .invalid("email is not an e-mail address") }
    guard email.utf8.count <= 254 else { throw .invalid("email must have at most 254 bytes") }
    guard Self.isUsername(username) else {
      throw .invalid("username must have only letters, digits and underscores of ASCII")
    }
    // The rules for all requests already check minimum lengths.
    guard password.utf8.count <= 1024 else { throw .invalid("password must have at most 1,024 bytes") }
    guard state.auth.account(email: email) == nil else {
      throw MockFailure(.alreadyExists, "the e-mail address is taken", reason: "EMAIL_TAKEN")
    }
    guard !state.users.hasUsername(username) else {
      throw MockFailure(.alreadyExists, "the username is taken", reason: "USERNAME_TAKEN")
    }
  }

  /// The mock sends no mail, so the address decides: `someone+unconfirmed@…` and `…@unconfirmed.example` stay
  /// unconfirmed.
  fileprivate var isEmailConfirmed: Bool {
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
  /// Creates an account and its profile.
  mutating func register(_ request: RegisterRequest) throws(MockFailure) -> Account {
    try request.check(self)
    let id = auth.makeUserID()
    let account = Account(
      userID: id, email: request.email, username: request.username, createdAt: now,
      password: try passwordHash(request.password, request.email),
      isEmailConfirmed: request.isEmailConfirmed)
    auth.set(account)
    users.add(UserProfile(id: id, username: account.username, createdAt: now, updatedAt: now))
    return account
  }
}
