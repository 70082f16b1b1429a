package import NovaCore
import NovaRegistry

extension ContractCheck {
  /// What an answer that is there already has that the contract has not, of an RPC that succeeds.
  ///
  /// - Parameters:
  ///   - rpc: whose answer it is.
  ///   - name: what the request is called.
  ///   - request: what was asked; nil where that is unknown.
  ///   - response: the answer.
  package static func differences(
    _ rpc: RPCDescriptor, _ name: String, request: (any ProtoMessage)?, _ response: HTTPResponse
  ) -> [ContractDifference] {
    let check = AnswerCheck(registry: .nova, rpc: rpc, request: request, expectation: .success)
    var recorder = Recorder(.nova)
    let sent = HTTPRequest(method: rpc.http.method, url: "", body: (try? request?.jsonUTF8(.response)) ?? [])
    for secret in SecretRedactor.secrets(in: sent, rpc.requestType.descriptor) { recorder.hide(secret) }
    for finding in check.findings(recorder.masked(response)) { recorder.note(finding, rpc.id, name) }
    return recorder.report(target: name, isReadOnly: true).differences
  }
}
