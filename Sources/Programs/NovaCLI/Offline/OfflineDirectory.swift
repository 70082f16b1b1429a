import NovaOffline
import NovaSDK

/// Where answers are stored and changes are queued: `offline` in the state directory. Gateways and accounts share it.
struct OfflineDirectory {
  let path: String

  /// The directory of a configuration; nil if none is known.
  init?(_ configuration: APIConfiguration) {
    guard let state = configuration.stateDirectory ?? UserDirectories.state.map({ "\($0)/nova" }) else { return nil }
    path = "\(state)/offline"
  }

  /// The directory if files and contexts are ignored: that of NOVA_STATE_DIRECTORY, or else the default one.
  static func withoutFiles() -> OfflineDirectory? {
    let variables = APIConfiguration.processVariables().filter { $0.key == "NOVA_STATE_DIRECTORY" }
    let read = try? APIConfiguration.load(
      file: .none, environment: variables, overrides: ConfigurationOverrides(), context: nil)
    let configuration = read ?? (try? APIConfiguration())
    return configuration.flatMap { OfflineDirectory($0) }
  }

  /// Whether answers are stored.
  var hasCache: Bool { SystemIO.exists("\(path)/cache.db") }
  /// Whether changes are queued, or were.
  var hasOutbox: Bool { SystemIO.exists("\(path)/outbox.db") }

  /// What to tell the user about outboxes that were damaged.
  var damageNotices: [String] { OfflineStore.damageNotices(in: path) }

  /// Creates the directory with those above it, for this user only.
  ///
  /// - Throws: ``Failure``.
  func create() throws {
    do { try PrivateFiles().makeDirectory(of: "\(path)/outbox.db") } catch {
      throw Failure("cannot store answers and changes: \(error)", hint: Self.advice, .failed)
    }
  }

  /// - Throws: ``Failure`` if no directory is known.
  static func required(_ configuration: APIConfiguration) throws -> OfflineDirectory {
    if let directory = OfflineDirectory(configuration) { return directory }
    throw Failure(
      "\(UserDirectories.problem("XDG_STATE_HOME")), so there is no place for answers and changes", hint: advice,
      .failed)
  }

  private static let advice = "Set NOVA_STATE_DIRECTORY to the path of a directory of your own."
}
