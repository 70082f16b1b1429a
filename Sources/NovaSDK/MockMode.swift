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
  }
#endif

extension NovaClient {
  /// A mock backend, or a transport that fails in programs without one.
  static func mockTransport() -> any HTTPTransport {
    #if Mock
      MockTransport()
    #else
      RefusingTransport(
        TransportError(
          .unavailable,
          "mock data is on, but this program was built without the mock backend; turn mock_data off, or enable the "
            + "trait Mock of the package NovaSDK",
          requestMayHaveLeft: false))
    #endif
  }
}
