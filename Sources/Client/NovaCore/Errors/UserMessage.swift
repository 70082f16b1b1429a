/// The sentences that an app shows to its users, in English or in the app's own language.
///
/// ```swift
/// do {
///   try await nova.social.createLike(postId: id, userId: me)
/// } catch {
///   if let text = UserMessage.text(of: error) { show(text) }  // nil for a cancellation
/// }
/// ```
/// The sentences never contain a status, an RPC, or text from a server; for diagnosis, log the error itself. Set the name
/// of your app and its language once, when the program starts:
///
/// ```swift
/// UserMessage.appLanguage = UserMessage.Language(appName: "Pookie") { key in translations[key.name] }
/// ```
/// A server that renders pages for users with different languages uses `withLanguage`.
public enum UserMessage {
  /// Returns a sentence for any error; nil for a cancellation.
  ///
  /// Calls, sign-ins, session stores, and announcements have sentences of their own; other errors have a general one.
  public static func text(of error: any Error) -> String? {
    switch error {
    case is CancellationError: nil
    case let error as APIError where error.code == .cancelled: nil
    case let error as any UserFacingError: language.text(error.userMessageKey)
    default: language.text(.unknown)
    }
  }

  /// Returns a sentence in the language of this task.
  ///
  /// - Parameter values: what replaces the placeholders of the sentence, by name.
  package static func text(_ key: Key, _ values: [String: String] = [:]) -> String { language.text(key, values) }

  private static let common = Locked(Language())
  @TaskLocal private static var ofTask: Language?

  /// The language of all tasks that set no other one. Default: English, with the app name `NovaSocial`.
  public static var appLanguage: Language {
    get { common.withLock { $0 } }
    set { common.withLock { $0 = newValue } }
  }

  /// The language of the current task: that of `withLanguage`, or else ``appLanguage``.
  public static var language: Language { ofTask ?? appLanguage }

  /// Runs `operation`, and the tasks that it starts, with another language.
  public static func withLanguage<Result>(_ language: Language, operation: () throws -> Result) rethrows -> Result {
    try $ofTask.withValue(language, operation: operation)
  }

  /// Runs `operation`, and the tasks that it starts, with another language.
  public nonisolated(nonsending) static func withLanguage<Result>(
    _ language: Language, operation: nonisolated(nonsending) () async throws -> Result
  ) async rethrows -> Result {
    try await $ofTask.withValue(language, operation: operation)
  }
}

extension UserMessage {
  /// The name of a sentence, for looking up its translation.
  public struct Key: Sendable, Hashable, CustomStringConvertible {
    /// A stable name, for example `error.notFound`.
    public let name: String
    /// The sentence in English. `{app}` is the placeholder of the app's name; a few sentences have other placeholders in
    /// braces, which a translation keeps.
    public let english: String

    package init(_ name: String, _ english: String) {
      self.name = name
      self.english = english
    }

    public var description: String { name }

    public static func == (left: Key, right: Key) -> Bool { left.name == right.name }
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
  }

  /// The app's name and the language of the sentences.
  public struct Language: Sendable {
    /// The name of the app in the sentences.
    public var appName: String
    private let translation: @Sendable (Key) -> String?

    /// Creates a language.
    ///
    /// - Parameters:
    ///   - appName: the name of the app, for `{app}` in the sentences. Default: `NovaSocial`.
    ///   - translation: returns the sentence for a key, or nil for the English one. Default: English.
    public init(
      appName: String = "NovaSocial", translation: @escaping @Sendable (_ key: Key) -> String? = { _ in nil }
    ) {
      self.appName = appName
      self.translation = translation
    }

    func text(_ key: Key, _ values: [String: String] = [:]) -> String {
      var (text, rest) = ("", (translation(key) ?? key.english)[...])
      // One pass, so that a value that contains braces is not replaced again.
      while let start = rest.firstIndex(of: "{"), let end = rest[start...].firstIndex(of: "}") {
        let name = String(rest[rest.index(after: start)..<end])
        text += rest[..<start]
        text += name == "app" ? appName : values[name] ?? String(rest[start...end])
        rest = rest[rest.index(after: end)...]
      }
      return text + rest
    }
  }
}

/// An error with a sentence of its own for the users of an app, which is also its `localizedDescription`.
package protocol UserFacingError: NovaError {
  var userMessageKey: UserMessage.Key { get }
}
