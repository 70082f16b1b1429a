import NovaCore
import NovaOffline

/// Whether a command uses the store. Without it, no database is opened.
enum StoreUse {
  case never
  /// If its options or the setting `offline_mode` ask for it.
  case chosen(StoreOptions)
  /// If answers are stored.
  case ifPresent
  /// Always, for the commands of the outbox, which read no answers.
  case outbox(isOffline: Bool = false)

  /// Whether an option forbids to send.
  var isOffline: Bool {
    switch self {
    case .chosen(let options): options.offline
    case .outbox(let isOffline): isOffline
    case .never, .ifPresent: false
    }
  }

  /// The policy that an option chooses for reads; nil without one. Has no effect offline.
  var policy: CachePolicy? { if case .chosen(let options) = self { options.cache?.policy } else { nil } }

  /// The store of a command; nil if it uses none.
  ///
  /// - Throws: ``Failure`` if an option cannot be followed.
  func answers(_ configuration: APIConfiguration) throws -> StoredAnswers? {
    switch self {
    case .never: return nil
    case .chosen(let options):
      let option = options.offline ? "--offline" : options.cache.map { "--cache \($0.rawValue)" }
      guard option != nil || configuration.isOffline else { return nil }
      guard !configuration.usesMockData else {
        guard let option else { return nil }
        throw Self.noMock("\(option) cannot be combined with mock data: the mock backend needs no network")
      }
      if option == nil { return Self.place(configuration).map { StoredAnswers($0, self) } }
      let directory = try OfflineDirectory.required(configuration)
      try directory.create()
      return StoredAnswers(directory, self)
    case .ifPresent:
      guard !configuration.usesMockData, let directory = OfflineDirectory(configuration), directory.hasCache else {
        return nil
      }
      return StoredAnswers(directory, self)
    case .outbox:
      guard !configuration.usesMockData else { throw Self.noMock("with mock data, no changes wait: nothing is sent") }
      return StoredAnswers(try OfflineDirectory.required(configuration), self)
    }
  }

  /// The directory, if it can be used: the setting only refuses to send where it cannot.
  private static func place(_ configuration: APIConfiguration) -> OfflineDirectory? {
    guard let directory = OfflineDirectory(configuration), (try? directory.create()) != nil else { return nil }
    return directory
  }

  private static func noMock(_ message: String) -> Failure {
    Failure(message, hint: "Leave out --mock, or set NOVA_MOCK=0.", .usage)
  }
}
