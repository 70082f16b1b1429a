import ArgumentParser
import NovaContract
import NovaSDK

/// What shells complete in place of arguments. Names come from the program when Tab is pressed: nothing is read at
/// startup, and nothing is sent.
enum Completions {
  /// `graph.GetFollowers`, in any case, with what it does where the shell shows that.
  static let rpcs = CompletionKind.custom { _, _, prefix in
    let rpcs = RPCRegistry.nova.rpcs
    let found = Set(matches(prefix, rpcs.map(\.id)))
    return rpcs.filter { found.contains($0.id) }.map { described($0.id, by: $0.summary) }
  }

  /// A word with its description, in the form of the shell that asks. bash shows none.
  private static func described(_ word: String, by text: String) -> String {
    switch CompletionShell.requesting {
    case .fish?: "\(word)\t\(text.oneLine)"
    // Words of the contract have no colon.
    case .zsh?: "\(word):\(text.oneLine)"
    default: word
    }
  }

  /// The fields of the command's records, separated by commas.
  static let fields = CompletionKind.custom { words, _, prefix in list(FieldCompletion.names(words), prefix) }

  /// `GetFollowersResponse`.
  static let messages = names { RPCRegistry.nova.messages.map { $0.descriptor.shortName } }

  /// Services, RPCs and messages.
  static let contract = names { ContractDescription.names }

  /// The request of the RPC on the command line: `user_id=`, `@file`.
  static let request = CompletionKind.custom { words, index, prefix in
    if let path = FileCompletion.path(in: prefix, after: index > 0 && index <= words.count ? words[index - 1] : nil) {
      return path.matches
    }
    let rpc = words.lazy.compactMap { RPCRegistry.nova.rpc(named: $0) }.first
    return matches(prefix, (rpc?.requestType.descriptor.fields ?? []).map { "\($0.name)=" })
  }

  static let settings = names {
    APIConfiguration.fileKeys + ConfigurationContext.keys.filter { !APIConfiguration.fileKeys.contains($0) }
  }

  static let environments = CompletionKind.list(["development", "staging", "production"])

  /// One of the names; the shell keeps those that begin with what is typed.
  static func names(_ names: @escaping @Sendable () -> [String]) -> CompletionKind {
    .custom { _, _, prefix in matches(prefix, names()) }
  }

  /// Names separated by commas: completes the last one.
  static func list(_ names: @escaping @Sendable () -> [String]) -> CompletionKind {
    .custom { _, _, prefix in list(names(), prefix) }
  }

  private static func list(_ names: [String], _ prefix: String) -> [String] {
    let parts = prefix.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    let given = parts.dropLast().map { "\($0)," }.joined()
    return matches(parts.last ?? "", names.filter { !parts.dropLast().contains($0) }).map { given + $0 }
  }

  /// The names that begin with a text, or else those that begin with it in another case, or after the service's name.
  static func matches(_ prefix: String, _ names: [String]) -> [String] {
    let exact = names.filter { $0.hasPrefix(prefix) }
    guard exact.isEmpty else { return exact }
    let folded = prefix.lowercased()
    return names.filter { $0.lowercased().hasPrefix(folded) }
  }
}
