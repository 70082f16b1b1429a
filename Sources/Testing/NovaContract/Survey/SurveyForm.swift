import NovaCore

/// How the requests of a survey are written, and their answers read: HTTP with JSON, or gRPC.
///
/// Everything else is the same for both. Answers are read as what a gateway would have answered, with the HTTP status of
/// the gRPC status, because that is what ``AnswerCheck`` and ``RefusalCheck`` validate.
protocol SurveyForm: Sendable {
  /// The request with a message.
  func parts(of message: any ProtoMessage, _ rpc: RPCDescriptor, _ binding: HTTPBinding) throws -> SurveyParts

  /// Requests of an RPC that cannot be read as its message, or that no RPC takes.
  func malformed(_ requests: DerivedRequests, in registry: RPCRegistry) -> [SurveyRequest]

  /// Further requests, of which one each is enough for a service.
  func misdirected(_ requests: DerivedRequests) -> [SurveyRequest]

  /// The headers that name the form of the request, and of its answer.
  func headers(of rpc: RPCDescriptor, hasBody: Bool) -> HTTPHeaders

  /// The URL of a target.
  func url(of target: String, on base: HTTPURL) -> HTTPURL

  /// Reads an answer.
  func reading(of response: HTTPResponse, _ rpc: RPCDescriptor) -> SurveyReading
}

/// What a message becomes in a request.
struct SurveyParts {
  let method: HTTPMethod
  let target: String
  let body: [UInt8]
}

/// An answer as the checks read it.
struct SurveyReading {
  /// The answer as a gateway's; nil if it cannot be read, which is one of the findings.
  var response: HTTPResponse?
  /// What is wrong with the form of the answer.
  var findings: [Finding] = []
}

extension ContractCheck {
  /// How the requests of a service are written.
  func form(of service: String) -> any SurveyForm {
    #if GRPC
      if baseURL(service).origin.usesGRPC { return GRPCForm() }
    #endif
    return JSONForm()
  }

  /// Whether any service is called over gRPC.
  var usesGRPC: Bool { registry.rpcs.contains { baseURL($0.service).origin.usesGRPC } }

  /// Where the bytes of files go; nil if calls go over gRPC, and there is no gateway beside it.
  func gatewayURL(of service: String) -> HTTPURL? {
    let url = baseURL(service)
    return url.origin.usesGRPC ? options.gatewayURL : url
  }
}
