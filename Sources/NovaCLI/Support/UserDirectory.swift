import NovaCore

/// The directory for a user's own files: `$XDG_CONFIG_HOME/nova`, or else `~/.config/nova`.
enum UserDirectory {
  /// The directory's path; it need not exist.
  ///
  /// - Parameter what: the purpose of the directory, for the error message.
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
