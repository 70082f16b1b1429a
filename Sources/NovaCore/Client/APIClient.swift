public final class APIClient: Sendable {
  public func call<Q, P>(_ rpc: RPC<Q, P>, _ request: Q, options: CallOptions = CallOptions()) async throws -> P { P() }
}
