import NovaCore

/// The commands that a word probably means which is none.
struct CommandSuggestions {
  private let names: [String]

  init(_ names: [String]) { self.names = names }

  /// What other programs call the same.
  private static let synonyms = [
    "ls": ["list"], "dir": ["list"], "rm": ["delete", "remove", "clear"], "del": ["delete", "remove"],
    "delete": ["remove", "discard", "cancel"], "remove": ["delete", "discard", "cancel"], "new": ["create", "add"],
    "add": ["create", "set"], "create": ["add", "set"], "write": ["create"], "get": ["show", "list"],
    "view": ["show"], "cat": ["show"], "info": ["show"], "update": ["edit", "set"], "change": ["edit", "set"],
    "switch": ["use"], "signin": ["login"], "sign-in": ["login"], "auth": ["login"], "signout": ["logout"],
    "sign-out": ["logout"], "signup": ["register"], "me": ["whoami"], "user": ["profile"], "users": ["search"],
    "find": ["search"], "timeline": ["feed"], "server": ["serve"], "mock": ["serve"], "api": ["call"],
    "rpc": ["call"], "rpcs": ["describe"], "env": ["config", "context"], "settings": ["config"], "check": ["doctor"],
    "events": ["watch"], "man": ["generate-man"], "about": ["version"],
  ]

  /// `Did you mean list? List all with …`
  func sentence(for word: String, otherwise fallback: String) -> String {
    if let synonyms = Self.synonyms[word.lowercased()] {
      // A word with a meaning is no slip of a similar one.
      return synonyms.first(where: names.contains).map { "Did you mean \($0)? \(fallback)" } ?? fallback
    }
    // Two letters are in the middle of too many names.
    let close = word.utf8.count > 2 ? names : names.filter { Suggestion.closest(to: word, among: [$0]) != nil }
    return Suggestions.sentence(for: word, among: close, otherwise: fallback)
  }
}
