import NovaCore
import NovaMedia

extension AnswerCheck {
  /// What is wrong with the answer to the bytes of an upload, which is no RPC of the contract.
  static func findings(toBytes response: HTTPResponse, _ registry: RPCRegistry, _ rpc: RPCDescriptor) -> [Finding] {
    guard response.status == 200, let json = try? JSONValue(keepingRepeatedNames: response.body.inMemory) else {
      return [Finding(.status, .breaking, expected: "status 200 and JSON", found: "status \(response.status)")]
    }
    var check = MessageCheck(registry, rpc.http)
    check.check(json["upload"] ?? .null, Upload.descriptor, at: "upload")
    return check.findings
  }
}
