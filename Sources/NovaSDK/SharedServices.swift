public import NovaCore

// `GraphService()` as the guide has it: the service on the shared client.
extension NovaService {
  /// The service on ``APIClient/shared``.
  public init() { self.init(client: .shared, options: CallOptions()) }
}
