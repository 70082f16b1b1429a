import NovaCore

/// Where the responses to some calls came from.
final class ServiceSource: Sendable {
  private let source = Locked<ResponseSource>(.network)

  /// The gateway, unless a store responded to one of the calls.
  var value: ResponseSource { source.withLock { $0 } }

  func note(_ new: ResponseSource) { source.withLock { $0 = $0.combined(with: new) } }
}

extension ResponseSource {
  /// The source of a value that combines two responses. If both are stored, the older one counts.
  func combined(with other: ResponseSource) -> ResponseSource {
    switch (self, other) {
    case (.outbox, _), (_, .outbox): return .outbox
    case (.network, _): return other
    case (_, .network): return self
    case (.cache(let age), .cache(let otherAge)):
      guard let age, let otherAge else { return .cache(age: nil) }
      return .cache(age: max(age, otherAge))
    }
  }

  var isStored: Bool { if case .cache = self { true } else { false } }

  /// The age of a stored response; nil for others, and if the age is unknown.
  var storedAge: Duration? { if case .cache(let age) = self { age } else { nil } }
}

extension NovaService {
  /// Whether the client has a store, and the service has no cache policy of its own.
  var readsStore: Bool { client.store != nil && options.cache == nil }
}

extension ServiceProtocol {
  /// A copy with changed options; the service itself if it has no options, like fakes.
  func withOptions(_ change: (inout CallOptions) -> Void) -> Self {
    guard let service = self as? any NovaService else { return self }
    return service.with(change) as? Self ?? self
  }

  /// A copy that notes where its responses come from.
  func noting(_ source: ServiceSource) -> Self { withOptions { $0.note(source) } }
}

extension CallOptions {
  mutating func note(_ source: ServiceSource) {
    let others = onSource
    onSource = { new in
      others?(new)
      source.note(new)
    }
  }
}
