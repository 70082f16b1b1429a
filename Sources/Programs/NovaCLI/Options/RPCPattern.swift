import ArgumentParser
import NovaSDK

/// RPCs by a pattern of their ids, in which `*` matches any text: `graph.*`.
struct RPCPattern: Sendable {
  /// The ids of the RPCs that match.
  let ids: [String]

  /// - Throws: `ValidationError` if no RPC matches.
  init(_ pattern: String) throws {
    let known = RPCRegistry.nova.rpcs.map(\.id)
    ids = known.filter { Self.isMatch($0, of: pattern) }
    guard ids.isEmpty else { return }
    let all = "List the RPCs with `nova call --list`."
    let hint = Suggestions.sentence(for: pattern.filter { $0 != "*" }, among: Self.examples, otherwise: all)
    throw ValidationError("no RPC matches \"\(pattern.printable(to: 80))\". \(hint)")
  }

  /// Whether a name matches a pattern with `*` and `?`, whatever the case of its letters.
  static func isMatch(_ name: String, of pattern: String) -> Bool {
    matches(Array(name.lowercased().utf8)[...], Array(pattern.lowercased().utf8)[...])
  }

  /// Every id, and a pattern for each service.
  static var examples: [String] {
    let rpcs = RPCRegistry.nova.rpcs
    return rpcs.map(\.service).withoutRepeats().map { "\($0).*" } + rpcs.map(\.id)
  }

  private static func matches(_ text: ArraySlice<UInt8>, _ pattern: ArraySlice<UInt8>) -> Bool {
    var (text, pattern) = (text, pattern)
    // Where to continue if the text after the last star does not match.
    var retry: (text: ArraySlice<UInt8>, pattern: ArraySlice<UInt8>)?
    while let byte = text.first {
      if pattern.first == UInt8(ascii: "*") {
        pattern = pattern.dropFirst()
        retry = (text, pattern)
      } else if pattern.first == byte || pattern.first == UInt8(ascii: "?") {
        (text, pattern) = (text.dropFirst(), pattern.dropFirst())
      } else if let last = retry {
        (text, pattern) = (last.text.dropFirst(), last.pattern)
        retry = (text, pattern)
      } else {
        return false
      }
    }
    return pattern.allSatisfy { $0 == UInt8(ascii: "*") }
  }
}
