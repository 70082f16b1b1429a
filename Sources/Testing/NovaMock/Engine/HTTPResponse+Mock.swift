import NovaCapture
package import NovaCore

extension HTTPResponse {
  /// A response with a message of an RPC.
  init(_ message: any ProtoMessage, of rpc: RPCDescriptor, _ meanings: MockMeanings) throws {
    let http = rpc.http
    var body = try HTTPTranscoder.body(of: message, http)
    if meanings != .off, rpc.service == CaptureRPC.createSomething.descriptor.service, !body.isEmpty {
      body = try JSONValue(jsonUTF8: body).withNulls(of: Something.descriptor).jsonUTF8
    }
    var headers = HTTPHeaders()
    // With the request's id.
    headers.reserveCapacity(2)
    if !body.isEmpty { headers["Content-Type"] = "application/json" }
    self.init(status: http.successStatus, headers: headers, body: body)
  }

  /// The response to a call that failed.
  init(failure error: any Error) {
    self =
      switch error {
      case let failure as MockFailure: failure.response
      case let error as ProtoJSONError: MockFailure.invalid("\(error)").response
      default: MockFailure(.internalError, "\(error)").response
      }
  }

  /// The response to a request whose path has only other methods, for example `GET, HEAD`.
  static func wrongMethod(_ allowed: String) -> HTTPResponse {
    MockFailure(.unimplemented, "use \(allowed) here", httpStatus: 405, headers: ["Allow": allowed]).response
  }

  package static func json(_ value: JSONValue, status: Int = 200) -> HTTPResponse {
    HTTPResponse(status: status, headers: ["Content-Type": "application/json"], body: value.jsonUTF8)
  }

  /// Whether a response with a status can have a body.
  package static func hasBody(status: Int) -> Bool { ![204, 205, 304].contains(status) }
}

extension JSONValue {
  /// The JSON of a message, or of a list of messages, with `null` for each optional field that is absent, as FastAPI and
  /// pydantic write it. Fields are in the contract's order.
  fileprivate func withNulls(of descriptor: MessageDescriptor) -> JSONValue {
    if let elements { return .array(elements.map { $0.withNulls(of: descriptor) }) }
    guard case .object(let members) = self else { return self }
    return .object(
      descriptor.fields.compactMap { field in
        let name = descriptor.names == .proto ? field.name : field.jsonName
        if let member = members.first(where: { $0.name == name }) { return member }
        return field.cardinality == .optional ? JSONValue.Member(name: name, value: .null) : nil
      })
  }
}
