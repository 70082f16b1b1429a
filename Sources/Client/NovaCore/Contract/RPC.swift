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
///
/// A class, because every step of every call holds one.
public final class RPCDescriptor: Sendable, Identifiable {
  /// The name people use: `graph.GetFollowers`.
  public let id: String
  /// The service as in its package, without the suffix: `graph`.
  public let service: String
  /// The full name of the gRPC service: `nova.graph_service.v1.GraphService`.
  public let package: String
  /// The RPC's name: `GetFollowers`.
  public let method: String
  /// What repeating a call does.
  public let effect: RPCEffect
  /// How the call looks in HTTP.
  public let http: HTTPBinding
  /// Whether a call is answered with any number of responses, see ``ServerStream``.
  public let isServerStreaming: Bool
  /// Whether the gateway requires a bearer token.
  public let requiresAuthentication: Bool
  /// How long clients wait, if the contract decides that and not the environment.
  public let timeout: Duration?
  /// What `limit` means, for a list.
  public let pageLimit: PageLimit?
  /// How many ids a request may carry, for a batch.
  public let batchLimit: BatchLimit?
  /// Whether responses contain what was requested, so that a difference shows a field that the backend ignored: the
  /// values of a created or changed record, or the items of a page.
  public let echoesRequest: Bool
  /// One sentence about what the RPC does.
  public let summary: String
  /// The Swift type of requests.
  public let requestType: any ProtoMessage.Type
  /// The Swift type of responses.
  public let responseType: any ProtoMessage.Type
  /// The one record that requests name, if responses repeat its id.
  package let namedRecord: NamedRecord?
  /// The records that requests name, if the items of responses are about them.
  package let namedItems: NamedItems?

  @inline(never)
  fileprivate init(
    service: String, package: String, method: String, effect: RPCEffect, http: HTTPBinding, isServerStreaming: Bool,
    requiresAuthentication: Bool, timeout: Duration?, pageLimit: PageLimit?, batchLimit: BatchLimit?,
    echoesRequest: Bool, itemOwner: ItemOwner?, summary: String, requestType: any ProtoMessage.Type,
    responseType: any ProtoMessage.Type
  ) {
    id = "\(service).\(method)"
    #if GRPC
      grpcPath = "/\(package)/\(method)"
    #endif
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

  #if GRPC
    /// The path of a call over gRPC: `/nova.graph_service.v1.GraphService/GetFollowers`.
    package let grpcPath: String
  #endif

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
///
/// A class, because every step of every call asks for one. Bindings with equal properties are equal.
public final class HTTPBinding: Sendable, Hashable {
  /// The verb.
  public let method: HTTPMethod
  /// The path, where `{field}` is replaced by a field's value.
  public let path: String
  /// Whether the fields that are not in the path are sent as the body; otherwise they are the query.
  public let hasBody: Bool
  /// The field of the request that is the whole body; the other fields that are not in the path are the query. Nil if all
  /// of them are the body or the query.
  public let bodyField: String?
  /// The field of the response that is the whole body; nil if the body is the response itself.
  public let responseField: String?
  /// The status of success.
  public let successStatus: Int
  /// The style of names in JSON that is written; readers take both.
  public let names: JSONNameStyle
  /// Whether 64-bit integers are written as strings; readers take both.
  public let writesInt64AsString: Bool

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
    self.method = method
    self.path = path
    self.hasBody = hasBody
    self.bodyField = bodyField
    self.responseField = responseField
    self.successStatus = successStatus
    self.names = names
    self.writesInt64AsString = writesInt64AsString
  }

  public static func == (left: HTTPBinding, right: HTTPBinding) -> Bool {
    left === right
      || left.method == right.method && left.path == right.path && left.hasBody == right.hasBody
        && left.bodyField == right.bodyField && left.responseField == right.responseField
        && left.successStatus == right.successStatus && left.names == right.names
        && left.writesInt64AsString == right.writesInt64AsString
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(method)
    hasher.combine(path)
  }

  /// The binding of an RPC that the contract gives no HTTP form: its calls over HTTP fail with `unimplemented`.
  public static let unbound = HTTPBinding(.post, "", hasBody: false)

  /// Whether the RPC has no HTTP form.
  public var isUnbound: Bool { path.isEmpty }

  /// The binding with requests in another name style; nil for the contract's style.
  package func writing(_ names: JSONNameStyle?) -> HTTPBinding {
    guard let names, names != self.names else { return self }
    return HTTPBinding(
      method, path, hasBody: hasBody, bodyField: bodyField, responseField: responseField, successStatus: successStatus,
      names: names, writesInt64AsString: writesInt64AsString)
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
