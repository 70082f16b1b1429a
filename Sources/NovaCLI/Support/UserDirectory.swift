import NovaCore

/// Where `nova` keeps what is one user's own: `$XDG_CONFIG_HOME/nova`, or else `~/.config/nova`.
enum UserDirectory {
  /// The directory's path; it need not exist.
  ///
  /// - Parameter what: what is to be kept there, for the message.
  /// - Throws: ``Failure`` when neither variable is set.
  static func path(for what: String, hint: String? = nil) throws -> String {
    if let directory = variable("XDG_CONFIG_HOME") { return "\(directory)/nova" }
    if let home = variable("HOME") { return "\(home)/.config/nova" }
    throw Failure("neither HOME nor XDG_CONFIG_HOME is set, so there is no place for \(what)", hint: hint, .failed)
  }

  private static func variable(_ name: String) -> String? {
    System.variable(name).flatMap { $0.isEmpty ? nil : $0 }
  }
}
