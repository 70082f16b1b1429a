// STUB replaced on merge
public struct AccessToken: Sendable {
  public let value: String; public init(_ value: String) throws { self.value = value }
}
public struct APIConfiguration: Sendable {
  public var baseURL = "http://localhost:8080"
  public var limits = TransferLimits()
  public var token: AccessToken?
  public func baseURL(for service: String) -> String { baseURL }
  public func timeout(for service: String) -> Duration { .seconds(60) }
  public init() {}
  public static let builtIn = APIConfiguration()
  public static func load() throws -> APIConfiguration { .builtIn }
  public var isOffline = false
  public var usesMockData = false
  public var caFile: String?
}
enum BaseURL {
  static func isSafeForTokens(_ url: String) -> Bool { true }
  static func origin(_ url: String) -> String { url }
  static func withoutQuery(_ url: String) -> String { url }
}

public struct CurlTransport: HTTPTransport {
  public struct Options: Sendable { public init(caFile: String?) {} }
  public init(options: Options) {}
  public func send(_ r: HTTPRequest) async throws -> HTTPResponse {
    throw TransportError(.other, "", requestMayHaveLeft: false)
  }
}
