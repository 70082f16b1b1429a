#if ServiceLifecycle
  public import NovaSDK
  public import ServiceLifecycle

  /// Shuts a client down when the services that use it have ended: a service for the `ServiceGroup` of a server.
  ///
  /// ```swift
  /// let app = Application(router: router, services: [NovaClientService(nova)])
  /// try await app.runService()
  /// ```
  ///
  /// Services end in reverse order, so list this one before those that make calls. Hummingbird's server ends before all
  /// `services` of its application. The client then sends its tracker's events, ends its event subscriptions, waits for
  /// calls in progress, and closes its connections. A transport that you passed to the client remains open.
  public struct NovaClientService: Service, CustomStringConvertible {
    /// The client.
    public let nova: NovaClient
    /// How long calls in progress may take.
    public let grace: Duration

    /// Creates a service.
    ///
    /// - Parameters:
    ///   - nova: the client.
    ///   - grace: how long calls in progress may take from then on; after that they fail. Default: 20 s.
    public init(_ nova: NovaClient, grace: Duration = .seconds(20)) {
      self.nova = nova
      self.grace = grace
    }

    /// Waits until the group shuts down or is cancelled, and then shuts the client down. A cancelled group does not
    /// wait for calls in progress.
    public func run() async throws {
      try? await gracefulShutdown()
      await nova.shutdown(grace: grace)
    }

    public var description: String { "NovaClientService" }
  }
#endif
