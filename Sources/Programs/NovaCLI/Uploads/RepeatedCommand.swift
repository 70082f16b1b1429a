import NovaCore
import NovaSupport

/// The command line of this program as a command that the user can run again, changed for what is left to do.
struct RepeatedCommand {
  /// Longer commands are not printed.
  private static let longest = 1000
  /// The flags of `nova upload`: the word after them is not their value.
  private static let flags = CommandLineOrder.flags

  private(set) var words: [String]

  /// - Parameter words: the arguments. Default: those of this process.
  init(_ words: [String] = ProcessArguments.all) { self.words = words }

  /// Removes the last argument with this text that is not the value of an option.
  ///
  /// - Returns: whether there is one.
  mutating func remove(argument: String) -> Bool {
    // The first word is the command.
    let index = words.indices.dropFirst().last { words[$0].hasSameBytes(as: argument) && !isValue($0) }
    if let index { words.remove(at: index) }
    return index != nil
  }

  /// Whether a word is the value of the option before it. After `--`, there are no options.
  private func isValue(_ index: Int) -> Bool {
    guard index <= words.firstIndex(of: "--") ?? words.endIndex else { return false }
    let previous = words[index - 1]
    return previous.hasPrefix("-") && !previous.contains("=") && !Self.flags.contains(previous)
  }

  /// Replaces an option with a value, in either notation, by other words.
  ///
  /// - Parameter value: the value; nil for any.
  /// - Returns: whether there is one.
  mutating func replace(_ option: String, value: String? = nil, with replacement: [String] = []) -> Bool {
    for (index, word) in words.enumerated() {
      if word == option, index + 1 < words.count, value.map(words[index + 1].hasSameBytes) ?? true {
        words.replaceSubrange(index...index + 1, with: replacement)
        return true
      }
      if word.hasPrefix("\(option)="), value.map({ word.hasSameBytes(as: "\(option)=\($0)") }) ?? true {
        words.replaceSubrange(index...index, with: replacement)
        return true
      }
    }
    return false
  }

  /// Adds words, before the ones that `--` makes arguments.
  mutating func add(_ more: [String]) {
    words.insert(contentsOf: more, at: words.firstIndex(of: "--") ?? words.endIndex)
  }

  /// The command for a shell; nil if it is too long to print, or has characters that cannot be printed.
  var text: String? {
    guard words.allSatisfy({ $0.hasPathBytes || $0.displayed == $0 }) else { return nil }
    let text = "nova \(words.map(\.shellWord).joined(separator: " "))"
    return text.count <= Self.longest ? text : nil
  }

  /// A hint with a command. A long one has its own line, which is not wrapped, so that it can be copied.
  static func hint(_ words: String, _ command: String) -> String {
    command.columns <= 60 ? "\(words) `\(command)`." : "\(words):\n  \(command)"
  }
}
