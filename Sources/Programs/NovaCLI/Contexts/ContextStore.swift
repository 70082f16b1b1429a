import NovaSDK

/// The file with the contexts of a user: `~/.config/nova/contexts.json`, or below `XDG_CONFIG_HOME`.
///
/// It decides where tokens are sent, so it must be as private as a session: see ``PrivateFiles``.
struct ContextStore {
  let path: String
  private let files = PrivateFiles()
  private static let limit = 1 << 20

  /// The contexts of this user.
  static func ofUser() throws -> ContextStore {
    ContextStore(path: "\(try UserDirectory.path(for: "contexts"))/contexts.json")
  }

  /// The names of the user's contexts, for suggestions and completion; empty if they cannot be read.
  static var names: [String] { (try? ofUser().read().names) ?? [] }

  /// The contexts; none if the file does not exist.
  func read() throws -> SavedContexts {
    // Without the file, the directory need not be a safe one.
    guard System.mayExist(path) else { return SavedContexts() }
    do {
      guard let bytes = try files.read(path, limit: Self.limit) else { return SavedContexts() }
      return try SavedContexts(jsonUTF8: bytes)
    } catch let error as DamagedContexts {
      throw Failure(
        "cannot read the contexts: \(path): \(error.reason)",
        hint: "Correct the file, or move it away and add the contexts again.", .badData)
    } catch let error as SessionStoreError {
      throw Failure("cannot read the contexts: \(error)", .failed)
    }
  }

  /// Changes the contexts. Other programs that change them at the same time wait, so that no change is lost.
  func change<Result: Sendable>(_ body: @Sendable (inout SavedContexts) throws -> Result) async throws -> Result {
    do {
      return try await SessionLock(path: "\(path).lock", timeout: .seconds(10)).withLock {
        var contexts = try read()
        let before = contexts
        let result = try body(&contexts)
        if contexts != before { try files.replace(path, with: PrettyJSON.spread(contexts.json) + [UInt8(ascii: "\n")]) }
        return result
      }
    } catch let error as SessionStoreError {
      throw Failure("cannot save the contexts: \(error)", .failed)
    }
  }
}
