public import NovaCore
public import NovaMock

extension MockBackend {
  /// A backend whose every answer repeats exactly: data, ids and tokens come from the seed, times from the clock.
  ///
  /// ```swift
  /// let clock = ManualClock()
  /// let backend = MockBackend.seeded(7, clock: clock)
  /// clock.advance(by: .seconds(3_600))  // its access tokens have expired
  /// ```
  ///
  /// - Parameters:
  ///   - seed: decides everything that is random in the data set.
  ///   - dataSet: what is there at first. Default ``MockDataSet/guide``.
  ///   - clock: the backend's time. Default: a clock of its own that stands still at 2025-12-01T10:00:00Z.
  public static func seeded(
    _ seed: UInt64, dataSet: MockDataSet = .guide, clock: any CallClock = ManualClock()
  ) -> MockBackend {
    MockBackend(seed: seed, dataSet: dataSet) { Int64(clock.unixTime) }
  }

  /// The backend of the test that runs, as the trait `.freshBackend` of NovaTestingTraits or ``withCurrent(_:_:)`` made
  /// it.
  ///
  /// - Throws: ``NoCurrentBackend`` where there is none; no backend is ever shared by accident.
  public static var current: MockBackend {
    get throws(NoCurrentBackend) {
      guard let backend = CurrentBackend.value else { throw NoCurrentBackend() }
      return backend
    }
  }

  /// Runs `body` with `backend` as ``current``, also in the tasks that it begins; for test frameworks without traits.
  ///
  /// - Throws: whatever `body` throws.
  public static func withCurrent<Result>(
    _ backend: MockBackend, _ body: () async throws -> Result
  ) async throws -> Result {
    try await CurrentBackend.$value.withValue(backend, operation: body)
  }
}

/// There is no backend that belongs to the running test.
public struct NoCurrentBackend: NovaError, Hashable {
  public var description: String {
    "no backend belongs to this test: give it the trait .freshBackend, or call MockBackend.withCurrent. "
      + "A task made with Task.detached knows of none: hand it the backend."
  }
}

private enum CurrentBackend {
  @TaskLocal static var value: MockBackend?
}
