import Logging
import NovaCore
#if Mock
  public import NovaMock
#endif

// Everything that depends on the package trait `Mock`. Without it, the mock backend is neither built nor linked.

#if Mock
  extension NovaClient {
    /// Creates the services on a mock backend: no network, no configuration.
    ///
    /// ```swift
    /// let nova = NovaClient.mock()
    /// ```
    ///
    /// Not available in a package that depends on NovaSDK without the trait `Mock`.
    ///
    /// - Parameter backend: the mock backend. Default: a new one with the integration guide's sample data.
    public static func mock(_ backend: MockBackend = MockBackend()) -> NovaClient {
      var configuration = APIConfiguration.builtIn
      configuration.recognizesIdempotencyKeys = true
      return NovaClient(configuration: configuration, transport: MockTransport(backend))
    }

    private static let backendOfShared = Locked<MockBackend?>(nil)

    /// The mock backend of ``shared``, for its mock mode. Default: one with the integration guide's sample data.
    ///
    /// ```swift
    /// APIFeatureFlags.enableMockData = true
    /// NovaClient.sharedMock = MockBackend(seed: 7)  // for the calls from now on
    /// NovaClient.sharedMock.reset()  // as it was in the beginning
    /// ```
    ///
    /// Not available in a package that depends on NovaSDK without the trait `Mock`.
    public static var sharedMock: MockBackend {
      get {
        backendOfShared.withLock { backend in
          let made = backend ?? MockBackend()
          backend = made
          return made
        }
      }
      set { backendOfShared.withLock { $0 = newValue } }
    }
  }
#endif

extension NovaClient {
  /// The transport of mock mode; without the mock backend, one that fails.
  ///
  /// - Parameter isShared: whether it uses ``sharedMock``, or a backend of its own.
  static func mockTransport(isShared: Bool) -> any HTTPTransport {
    #if Mock
      MockTransport(isShared ? sharedMock : MockBackend())
    #else
      RefusingTransport(.mockIsNotBuilt)
    #endif
  }
}

extension TransportError {
  fileprivate static let mockIsNotBuilt = TransportError(
    .unavailable,
    "mock data is on, but this program was built without the mock backend",
    advice: "turn mock_data off, or enable the trait Mock of the package NovaSDK",
    requestMayHaveLeft: false)
}

/// Logs once that mock mode is on, so that sample data is not mistaken for a gateway's.
final class MockNotice: Sendable {
  /// The notice of this program.
  static let shared = MockNotice()

  private let isPosted = Locked(false)

  /// Logs the notice, unless it was already logged. If a logger does not show notices, the next logger gets it.
  func post(to logger: @autoclosure () -> Logger, _ configuration: APIConfiguration) {
    #if Mock
      guard !isPosted.withLock({ $0 }) else { return }
      let logger = logger()
      guard logger.logLevel <= .notice else { return }
      let isFirst = isPosted.withLock { isPosted in
        defer { isPosted = true }
        return !isPosted
      }
      guard isFirst else { return }
      let entry = configuration.entries.first { $0.key == "flags.mock_data" }
      let source = configuration.usesMockData ? entry.map { "\($0.source)" } : nil
      logger.notice(
        "Mock data is on: a mock backend in this process answers all calls, and nothing is sent",
        metadata: ["source": "\(source ?? "set in code")"])
    #endif
  }
}
