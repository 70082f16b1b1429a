import ArgumentParser
import NovaContract
import NovaSDK

/// What shells complete in place of arguments. Names come from the program when Tab is pressed: nothing is read at
/// startup, and nothing is sent.
enum Completions {
  /// `graph.GetFollowers`, in any case.
  static let rpcs = names { RPCRegistry.nova.rpcs.map(\.id) }

  /// `GetFollowersResponse`.
  static let messages = names { RPCRegistry.nova.messages.map { $0.descriptor.shortName } }

  /// Services, RPCs and messages.
  static let contract = names { ContractDescription.names }

  static let environments = CompletionKind.list(["development", "staging", "production"])

  /// One of the names; the shell keeps those that begin with what is typed.
  static func names(_ names: @escaping @Sendable () -> [String]) -> CompletionKind {
    .custom { _, _, prefix in matches(prefix, names()) }
  }

  /// Names separated by commas: completes the last one.
  static func list(_ names: @escaping @Sendable () -> [String]) -> CompletionKind {
    .custom { _, _, prefix in
      let parts = prefix.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      let given = parts.dropLast().map { "\($0)," }.joined()
      return matches(parts.last ?? "", names().filter { !parts.dropLast().contains($0) }).map { given + $0 }
    }
  }

  /// The names that begin with a text, or else those that begin with it in another case, or after the service's name.
  static func matches(_ prefix: String, _ names: [String]) -> [String] {
    let exact = names.filter { $0.hasPrefix(prefix) }
    guard exact.isEmpty else { return exact }
    let folded = prefix.lowercased()
    return names.filter { $0.lowercased().hasPrefix(folded) }
  }
}
