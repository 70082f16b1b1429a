import NovaSupport

extension String {
  /// The text as one word of a POSIX shell, quoted only if a shell would change it.
  var shellWord: String { !isEmpty && unicodeScalars.allSatisfy(Self.plain.contains) ? self : shellQuoted }

  /// The characters of words that no shell changes.
  private static let plain = Set(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_./:,@%+=".unicodeScalars)
}
