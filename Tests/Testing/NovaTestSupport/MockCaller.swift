public import NovaCore
public import NovaMock

/// Calls a backend's RPCs at a time that the test moves by hand.
public final class MockCaller: Sendable {
  public static let start: Int64 = 1_750_000_000
  public let backend: MockBackend
  private let now: Locked<Int64>

  public init(
    seed: UInt64 = 1, dataSet: MockDataSet = .empty, requiresTokens: Bool = false, meanings: MockMeanings = .off,
    mediaLimit: Int64 = 4 << 30
  ) {
    let now = Locked(Self.start)
    self.now = now
    backend = MockBackend(
      seed: seed, dataSet: dataSet, requiresTokens: requiresTokens, meanings: meanings, mediaLimit: mediaLimit
    ) { now.withLock { $0 } }
  }

  public func advance(seconds: Int64) { now.withLock { $0 += seconds } }

  /// What the backend answers with a request, or the status it refuses it with.
  public func call<Request, Response>(
    _ rpc: RPC<Request, Response>, _ request: Request, token: String? = nil
  ) throws -> Response {
    let binding = rpc.descriptor.http
    let (path, body) = try HTTPTranscoder.request(request, binding)
    var headers: HTTPHeaders = [:]
    if let token { headers["Authorization"] = "Bearer \(token)" }
    let response = backend.respond(to: HTTPRequest(method: binding.method, url: path, headers: headers, body: body))
    guard response.isSuccess else { throw Refusal(response) }
    return try HTTPTranscoder.response(Response.self, from: response.body.inMemory, binding)
  }

  /// The refusal of a request; nil when it was answered.
  public func refusal<Request, Response>(
    _ rpc: RPC<Request, Response>, _ request: Request, token: String? = nil
  ) throws -> Refusal? {
    do {
      _ = try call(rpc, request, token: token)
      return nil
    } catch let refusal as Refusal {
      return refusal
    }
  }
}

/// An answer that is no success.
public struct Refusal: Error, Equatable, CustomStringConvertible {
  public let status: Int
  public let code: Int?
  public let message: String

  public init(_ response: HTTPResponse) {
    let json = try? JSONValue(jsonUTF8: response.body.inMemory)
    status = response.status
    code = json?["code"]?.integerValue
    message = json?["message"]?.stringValue ?? String(decoding: response.body.inMemory, as: UTF8.self)
  }

  /// As gRPC knows it.
  public var grpcStatus: GRPCStatus? { code.map(GRPCStatus.init) }
  public var description: String { "\(status) \(grpcStatus?.description ?? "?") \(message)" }
}
