public import NovaCore
public import NovaMock

extension MockBackend {
  /// Returns a reproducible backend: data, ids, and tokens depend on the seed, times on the clock.
  ///
  /// ```swift
  /// let clock = ManualClock()
  /// let backend = MockBackend.seeded(7, clock: clock)
  /// clock.advance(by: .seconds(3_600))  // its access tokens have expired
  /// ```
  ///
  /// - Parameters:
  ///   - seed: the seed of everything random in the data set.
  ///   - dataSet: the initial contents. Default: ``MockDataSet/guide``.
  ///   - clock: the backend's clock. Default: a ``ManualClock`` at 2025-12-01T10:00:00Z.
  public static func seeded(
    _ seed: UInt64, dataSet: MockDataSet = .guide, clock: any CallClock = ManualClock()
  ) -> MockBackend {
    MockBackend(seed: seed, dataSet: dataSet) { Int64(clock.unixTime) }
  }

  /// The backend of the running test, set by the trait `.freshBackend` of NovaTestingTraits or by
  /// ``withCurrent(_:isolation:_:)``.
  ///
  /// - Throws: ``NoCurrentBackend`` if there is none; tests never share a backend by accident.
  public static var current: MockBackend {
    get throws(NoCurrentBackend) {
      guard let backend = CurrentBackend.value else { throw NoCurrentBackend() }
      return backend
    }
  }

  /// Runs `body` and its child tasks with `backend` as ``current``, for test frameworks without traits.
  ///
  /// - Throws: whatever `body` throws.
  public static func withCurrent<Result>(
    _ backend: MockBackend, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
  ) async throws -> Result {
    try await CurrentBackend.$value.withValue(backend, operation: body, isolation: isolation)
  }
}

/// The running test has no backend.
public struct NoCurrentBackend: NovaError, Hashable {
  public var description: String {
    "no backend for this test: add the trait .freshBackend, or call MockBackend.withCurrent; "
      + "pass the backend to tasks created with Task.detached"
  }
}

private enum CurrentBackend {
  @TaskLocal static var value: MockBackend?
}
