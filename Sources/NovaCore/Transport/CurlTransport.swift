// STUB replaced on merge
public struct CurlTransport: HTTPTransport {
  public struct Options: Sendable { public init(caFile: String?) {} }
  public init(options: Options) {}
  public func send(_ r: HTTPRequest) async throws -> HTTPResponse {
    throw TransportError(.other, "", requestMayHaveLeft: false)
  }
}
