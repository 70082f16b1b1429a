import NovaCore

/// A user as the command line names one: by an ID, as `@me`, or by `@` and the user name.
enum UserReference: Equatable {
  case id(String)
  /// `@me`.
  case signedIn
  /// `@bruce_li`.
  case name(String)

  /// An `@` alone is an ID.
  init(_ text: String) {
    // By bytes: a mark after the @ would join it.
    guard text.utf8.first == UInt8(ascii: "@"), text.utf8.count > 1 else {
      self = .id(text)
      return
    }
    let name = String(Substring(text.utf8.dropFirst()))
    self = name == "me" ? .signedIn : .name(name)
  }

  /// Whether it can be nothing but a user.
  var isExplicit: Bool { if case .id = self { false } else { true } }

  /// The help of arguments and options that name a user.
  static let help = "An ID, @ and a user name, or @me."
}
