/// A value, and where it came from.
public struct SourcedValue<Value: Sendable>: Sendable {
  /// The value.
  public let value: Value
  /// The store, with the age, or the gateway.
  public let source: ResponseSource

  /// Creates a value.
  public init(value: Value, source: ResponseSource) {
    self.value = value
    self.source = source
  }
}

extension SourcedValue: Equatable where Value: Equatable {}

extension NovaService {
  /// Reads from the client's store first, and then from the gateway: the stored value comes at once, with its age, and the
  /// gateway's after it, unless both are equal.
  ///
  /// ```swift
  /// let pages = nova.graph.cacheThenNetwork { try await $0.getFollowers(userId: "mock-user-id") }
  /// for try await page in pages { show(page.value, age: page.source) }
  /// ```
  ///
  /// Without a stored value, and on a client without a store, only the gateway's comes. The call that `body` makes has no
  /// effect on the service itself.
  ///
  /// - Parameter body: a read with the service that it is given. Called twice at most.
  /// - Throws: what the call to the gateway throws, after the stored value.
  public func cacheThenNetwork<Value: Sendable & Equatable>(
    _ body: @escaping @Sendable (Self) async throws -> Value
  ) -> AsyncThrowingStream<SourcedValue<Value>, any Error> {
    AsyncThrowingStream { continuation in
      let task = Task {
        do {
          let stored = try await stored(body)
          if let stored { continuation.yield(stored) }
          let fresh = try await body(with { $0.cache = .networkOnly })
          if stored?.value != fresh { continuation.yield(SourcedValue(value: fresh, source: .network)) }
          continuation.finish()
        } catch {
          continuation.finish(throwing: error)
        }
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  /// The stored value; nil without one.
  private func stored<Value: Sendable>(_ body: (Self) async throws -> Value) async throws -> SourcedValue<Value>? {
    guard client.store != nil else { return nil }
    let source = Locked<ResponseSource>(.network)
    let service = with { options in
      options.cache = .cacheOnly
      options.onSource = { new in source.withLock { $0 = new } }
    }
    do {
      let value = try await body(service)
      return SourcedValue(value: value, source: source.withLock { $0 })
    } catch let error as APIError where error.code == .notFound || error.code == .failedPrecondition {
      return nil
    }
  }
}
