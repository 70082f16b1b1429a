/// One remote procedure of the contract, with the types of its request and response.
///
/// Values are generated from `Proto/`, for example `GraphRPC.getFollowers`; a service's calls, the mock's routes and
/// `nova call` all use the same ones.
public struct RPC<Request: ProtoMessage, Response: ProtoMessage>: Sendable {
  /// Everything about the RPC but the Swift types.
  public let descriptor: RPCDescriptor

  /// Creates an RPC from what the contract says about it.
  public init(
    service: String,
    package: String,
    method: String,
    effect: RPCEffect,
    http: HTTPBinding,
    isServerStreaming: Bool = false,
    requiresAuthentication: Bool = true,
    timeout: Duration? = nil,
    pageLimit: PageLimit? = nil,
    batchLimit: BatchLimit? = nil,
    echoesRequest: Bool = false,
    itemOwner: ItemOwner? = nil,
    summary: String
  ) {
    descriptor = RPCDescriptor(
      service: service, package: package, method: method, effect: effect, http: http,
      isServerStreaming: isServerStreaming, requiresAuthentication: requiresAuthentication, timeout: timeout,
      pageLimit: pageLimit, batchLimit: batchLimit, echoesRequest: echoesRequest, itemOwner: itemOwner,
      summary: summary, requestType: Request.self, responseType: Response.self)
  }
}

/// Everything the contract says about an RPC.
public struct RPCDescriptor: Sendable, Identifiable {
  // One reference: every step of every call holds a descriptor.
  private final class Facts: Sendable {
    let id: String
    let service: String
    let package: String
    let method: String
    let effect: RPCEffect
    let http: HTTPBinding
    let isServerStreaming: Bool
    let requiresAuthentication: Bool
    let timeout: Duration?
    let pageLimit: PageLimit?
    let batchLimit: BatchLimit?
    let echoesRequest: Bool
    let summary: String
    let requestType: any ProtoMessage.Type
    let responseType: any ProtoMessage.Type
    let namedRecord: NamedRecord?
    let namedItems: NamedItems?

    init(
      service: String, package: String, method: String, effect: RPCEffect, http: HTTPBinding, isServerStreaming: Bool,
      requiresAuthentication: Bool, timeout: Duration?, pageLimit: PageLimit?, batchLimit: BatchLimit?,
      echoesRequest: Bool, itemOwner: ItemOwner?, summary: String, requestType: any ProtoMessage.Type,
      responseType: any ProtoMessage.Type
    ) {
      id = "\(service).\(method)"
      self.service = service
      self.package = package
      self.method = method
      self.effect = effect
      self.http = http
      self.isServerStreaming = isServerStreaming
      self.requiresAuthentication = requiresAuthentication
      self.timeout = timeout
      self.pageLimit = pageLimit
      self.batchLimit = batchLimit
      self.echoesRequest = echoesRequest
      self.summary = summary
      self.requestType = requestType
      self.responseType = responseType
      namedRecord = NamedRecord(
        effect: effect, method: method, request: requestType.descriptor, response: responseType.descriptor)
      namedItems = NamedItems(
        ids: batchLimit?.field, owner: itemOwner, effect: effect, request: requestType.descriptor,
        response: responseType.descriptor)
    }
  }

  private let facts: Facts

  @inline(never)
  fileprivate init(
    service: String, package: String, method: String, effect: RPCEffect, http: HTTPBinding, isServerStreaming: Bool,
    requiresAuthentication: Bool, timeout: Duration?, pageLimit: PageLimit?, batchLimit: BatchLimit?,
    echoesRequest: Bool, itemOwner: ItemOwner?, summary: String, requestType: any ProtoMessage.Type,
    responseType: any ProtoMessage.Type
  ) {
    facts = Facts(
      service: service, package: package, method: method, effect: effect, http: http,
      isServerStreaming: isServerStreaming, requiresAuthentication: requiresAuthentication, timeout: timeout,
      pageLimit: pageLimit, batchLimit: batchLimit, echoesRequest: echoesRequest, itemOwner: itemOwner,
      summary: summary,
      requestType: requestType, responseType: responseType)
  }

  /// The service as in its package, without the suffix: `graph`.
  public var service: String { facts.service }
  /// The full name of the gRPC service: `nova.graph_service.v1.GraphService`.
  public var package: String { facts.package }
  /// The RPC's name: `GetFollowers`.
  public var method: String { facts.method }
  /// What repeating a call does.
  public var effect: RPCEffect { facts.effect }
  /// How the call looks in HTTP.
  public var http: HTTPBinding { facts.http }
  /// Whether a call is answered with any number of responses, see ``ServerStream``.
  public var isServerStreaming: Bool { facts.isServerStreaming }
  /// Whether the gateway wants a bearer token.
  public var requiresAuthentication: Bool { facts.requiresAuthentication }
  /// How long clients wait where that is not left to the environment.
  public var timeout: Duration? { facts.timeout }
  /// What `limit` means, for a list.
  public var pageLimit: PageLimit? { facts.pageLimit }
  /// How many ids a request may carry, for a batch.
  public var batchLimit: BatchLimit? { facts.batchLimit }
  /// Whether responses contain what was requested, so that a difference shows a field that the backend ignored: the
  /// values of a created or changed record, or the items of a page.
  public var echoesRequest: Bool { facts.echoesRequest }
  /// One sentence that says what the RPC does.
  public var summary: String { facts.summary }
  /// The Swift type of requests.
  public var requestType: any ProtoMessage.Type { facts.requestType }
  /// The Swift type of responses.
  public var responseType: any ProtoMessage.Type { facts.responseType }

  /// The one record that requests name, if responses repeat its id.
  package var namedRecord: NamedRecord? { facts.namedRecord }
  /// The records that requests name, if the items of responses are about them.
  package var namedItems: NamedItems? { facts.namedItems }

  /// The name people use: `graph.GetFollowers`.
  public var id: String { facts.id }
  /// The name gRPC uses: `nova.graph_service.v1.GraphService.GetFollowers`.
  public var fullName: String { "\(package).\(method)" }
}

/// What repeating a call does, in protobuf's terms (`idempotency_level`).
public enum RPCEffect: String, Sendable, Hashable {
  /// The call changes nothing; it may be repeated and cached.
  case noSideEffects
  /// Repeating the call changes nothing more.
  case idempotent
  /// Repeating the call may do it twice.
  case notIdempotent
}

/// How an RPC looks in HTTP, in the terms of `google.api.http`.
public struct HTTPBinding: Sendable, Hashable {
  private struct Parts: Sendable, Hashable {
    let method: HTTPMethod
    let path: String
    let hasBody: Bool
    let bodyField: String?
    let responseField: String?
    let successStatus: Int
    let names: JSONNameStyle
    let writesInt64AsString: Bool
  }

  // One reference: every step of every call asks for a binding.
  private final class Shared: Sendable {
    let parts: Parts

    init(_ parts: Parts) { self.parts = parts }
  }

  private let shared: Shared

  /// The verb.
  public var method: HTTPMethod { shared.parts.method }
  /// The path, where `{field}` stands for a field's value.
  public var path: String { shared.parts.path }
  /// Whether the fields that are not in the path travel as the body; otherwise they are the query.
  public var hasBody: Bool { shared.parts.hasBody }
  /// The field of the request that is the whole body, where not all that are not in the path are; the others are the query.
  public var bodyField: String? { shared.parts.bodyField }
  /// The field of the response that is the whole body, where it is not the response itself.
  public var responseField: String? { shared.parts.responseField }
  /// The status of success.
  public var successStatus: Int { shared.parts.successStatus }
  /// The style of names in JSON that is written; readers take both.
  public var names: JSONNameStyle { shared.parts.names }
  /// Whether 64-bit integers are written as strings; readers take both.
  public var writesInt64AsString: Bool { shared.parts.writesInt64AsString }

  /// Creates a binding; the defaults are those of most RPCs.
  public init(
    _ method: HTTPMethod,
    _ path: String,
    hasBody: Bool = true,
    bodyField: String? = nil,
    responseField: String? = nil,
    successStatus: Int = 200,
    names: JSONNameStyle = .proto,
    writesInt64AsString: Bool = false
  ) {
    shared = Shared(
      Parts(
        method: method, path: path, hasBody: hasBody, bodyField: bodyField, responseField: responseField,
        successStatus: successStatus, names: names, writesInt64AsString: writesInt64AsString))
  }

  public static func == (left: HTTPBinding, right: HTTPBinding) -> Bool {
    left.shared === right.shared || left.shared.parts == right.shared.parts
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(shared.parts) }

  /// The binding of an RPC that the contract gives no HTTP form: its calls over HTTP fail with `unimplemented`.
  public static let unbound = HTTPBinding(.post, "", hasBody: false)

  /// Whether the RPC has no HTTP form.
  public var isUnbound: Bool { path.isEmpty }

  /// The binding with requests in another name style; nil for the contract's style.
  package func writing(_ names: JSONNameStyle?) -> HTTPBinding {
    guard let names, names != self.names else { return self }
    return HTTPBinding(
      method, path, hasBody: hasBody, bodyField: bodyField, responseField: responseField, successStatus: successStatus,
      names: names,
      writesInt64AsString: writesInt64AsString)
  }

  /// How JSON is written under this binding.
  package func json(includesDefaults: Bool) -> ProtoJSONOptions {
    ProtoJSONOptions(
      names: names, includesDefaults: includesDefaults, writesInt64AsString: writesInt64AsString)
  }
}

/// What a list's `limit` means.
public struct PageLimit: Sendable, Hashable {
  /// How many items 0 or an absent limit means; nil where the server decides.
  public let defaultValue: Int?
  /// The most items on a page; a higher limit is lowered to it.
  public let maximum: Int

  /// Creates a limit.
  public init(default defaultValue: Int?, maximum: Int) {
    self.defaultValue = defaultValue
    self.maximum = maximum
  }
}

/// How many ids a batch may carry.
public struct BatchLimit: Sendable, Hashable {
  /// The field with the ids, by its name in `Proto/`.
  public let field: String
  /// The most ids in one request.
  public let maximum: Int

  /// Creates a limit.
  public init(field: String, maximum: Int) {
    self.field = field
    self.maximum = maximum
  }
}
