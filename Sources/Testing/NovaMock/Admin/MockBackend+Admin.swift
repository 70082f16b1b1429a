import NovaCore
import NovaRegistry

extension MockBackend {
  /// Applies a change without a caller, faults, stubs, and log, and returns once the journal has stored it durably.
  @discardableResult
  func apply(_ action: MockChange.Action) async throws -> MockEngine.Outcome {
    let applied = try withEngine { engine in
      try engine.check(action)
      return try engine.apply(MockChange(engine.state, action))
    }
    try await waitUntilDurable(applied.position)
    return try applied.result.get()
  }

  /// Applies an RPC whose request is JSON that a person wrote.
  func apply<Request, Response>(_ rpc: RPC<Request, Response>, _ json: JSONValue) async throws -> Response {
    let descriptor = rpc.descriptor
    let message: Request
    do throws(ProtoJSONError) {
      message = try Request(refusingUnknownFieldsIn: json.jsonUTF8)
    } catch {
      throw MockFailure(error, in: nil, of: "request of \(descriptor.id)")
    }
    if let (field, problem) = RequestRules.violation(in: message) {
      throw MockFailure.invalid("\(field.name) \(problem)")
    }
    guard case .message(let response) = try await apply(.rpc(descriptor, message)), let response = response as? Response
    else { throw MockFailure(.internalError, "expected a \(Response.descriptor.name)") }
    return response
  }
}

extension MockEngine {
  /// Rejects a change that would fail, before the journal stores it.
  fileprivate func check(_ action: MockChange.Action) throws(MockFailure) {
    switch action {
    case .restore(let name): _ = try snapshot(named: name)
    default: break
    }
  }
}

extension JSONValue {
  /// A message as responses of RPCs have it.
  init(_ message: some ProtoMessage) throws { self = try JSONValue(jsonUTF8: message.jsonUTF8(.response)) }
}
