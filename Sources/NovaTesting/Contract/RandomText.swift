/// Text that nobody has used before.
enum RandomText {
  /// Lower-case letters and digits.
  static func letters(_ count: Int) -> String {
    let alphabet = Array("abcdefghijklmnopqrstuvwxyz0123456789")
    return String((0..<count).compactMap { _ in alphabet.randomElement() })
  }
}
