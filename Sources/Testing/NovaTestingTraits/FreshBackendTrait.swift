public import NovaMock
import NovaTesting
public import Testing

/// Gives each test, and each case of a test with arguments, a mock backend of its own; see `.freshBackend`.
public struct FreshBackendTrait: TestTrait, SuiteTrait, TestScoping {
  let makeBackend: @Sendable () -> MockBackend

  /// On a suite, the trait is for every test in it.
  public var isRecursive: Bool { true }

  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    // A suite as a whole has no backend, or its tests would share it.
    guard testCase != nil else { return try await function() }
    try await MockBackend.withCurrent(makeBackend()) { try await function() }
  }
}

extension Trait where Self == FreshBackendTrait {
  /// A fresh `MockBackend.seeded(1)` for each test, as `MockBackend.current`.
  ///
  /// ```swift
  /// @Test(.freshBackend) func follows() async throws {
  ///   let nova = NovaClient.mock(try .current)
  ///   try await nova.graph.followUser(followerId: "me", followeeId: "mock-user-id")
  /// }
  /// ```
  public static var freshBackend: Self { .freshBackend(seed: 1) }

  /// A fresh backend for each test, as `MockBackend.current`. Its clock stands still.
  ///
  /// - Parameters:
  ///   - seed: decides everything that is random in the data set.
  ///   - dataSet: what is there at first. Default: the integration guide's sample profile.
  public static func freshBackend(seed: UInt64, dataSet: MockDataSet = .guide) -> Self {
    FreshBackendTrait { MockBackend.seeded(seed, dataSet: dataSet) }
  }

  /// A fresh backend for each test, as `MockBackend.current`, made by `makeBackend`.
  public static func freshBackend(_ makeBackend: @escaping @Sendable () -> MockBackend) -> Self {
    FreshBackendTrait(makeBackend: makeBackend)
  }
}
