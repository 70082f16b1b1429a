/// The user's directories for files of programs, by the XDG Base Directory Specification.
package enum UserDirectories {
  /// For files that must survive a restart: `$XDG_STATE_HOME`, or else `~/.local/state`; nil if neither is known.
  package static var state: String? { directory("XDG_STATE_HOME", inHome: ".local/state") }

  /// For settings, sessions, and other personal files: `$XDG_CONFIG_HOME`, or else `~/.config`; nil if neither is
  /// known.
  package static var configuration: String? { directory("XDG_CONFIG_HOME", inHome: ".config") }

  /// For files that can be created again: `$XDG_CACHE_HOME`, or else `~/.cache`; nil if neither is known.
  package static var cache: String? { directory("XDG_CACHE_HOME", inHome: ".cache") }

  /// The reason why a directory is unknown.
  package static func problem(_ variable: String) -> String {
    "neither HOME nor \(variable) is set to an absolute path"
  }

  /// The directory in a variable, or else in the home directory. By the specification, relative paths are ignored.
  private static func directory(_ variable: String, inHome place: String) -> String? {
    if let path = environmentVariable(variable), path.hasPrefix("/") { return path }
    guard let home = environmentVariable("HOME"), home.hasPrefix("/") else { return nil }
    return home == "/" ? "/\(place)" : "\(home)/\(place)"
  }
}
