/// The directories of a user for the files of programs, by the XDG Base Directory Specification.
package enum UserDirectories {
  /// Files that must survive a restart: `$XDG_STATE_HOME`, or else `~/.local/state`; nil if neither is known.
  package static var state: String? { directory("XDG_STATE_HOME", inHome: ".local/state") }

  /// Settings, sessions, and other files of the user's own: `$XDG_CONFIG_HOME`, or else `~/.config`; nil if neither is
  /// known.
  package static var configuration: String? { directory("XDG_CONFIG_HOME", inHome: ".config") }

  /// Files that can be made again: `$XDG_CACHE_HOME`, or else `~/.cache`; nil if neither is known.
  package static var cache: String? { directory("XDG_CACHE_HOME", inHome: ".cache") }

  /// Why there is no directory.
  package static func problem(_ variable: String) -> String {
    "neither HOME nor \(variable) is set to an absolute path"
  }

  /// The specification requires absolute paths, and to ignore others.
  private static func directory(_ variable: String, inHome place: String) -> String? {
    if let path = environmentVariable(variable), path.hasPrefix("/") { return path }
    guard let home = environmentVariable("HOME"), home.hasPrefix("/") else { return nil }
    return home == "/" ? "/\(place)" : "\(home)/\(place)"
  }
}
