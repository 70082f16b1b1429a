import NovaCore
import NovaMock
import NovaOffline
import NovaTestSupport

extension MockCaller {
  /// Calls an RPC by its descriptor.
  func call(_ rpc: RPCDescriptor, _ request: any ProtoMessage) throws -> any ProtoMessage {
    let (path, body) = try HTTPTranscoder.request(request, rpc.http)
    let response = backend.respond(to: HTTPRequest(method: rpc.http.method, url: path, body: body))
    guard response.isSuccess else { throw Refusal(response) }
    func message<Message: ProtoMessage>(_ type: Message.Type) throws -> any ProtoMessage {
      try HTTPTranscoder.response(type, from: response.body.inMemory, rpc.http)
    }
    return try message(rpc.responseType)
  }

  /// What a check finds now.
  func isDone(_ check: WriteCheck, firstAttempt: Int64 = MockCaller.start) throws -> Bool? {
    check.isDone(try call(check.rpc, check.request), firstAttempt)
  }
}
