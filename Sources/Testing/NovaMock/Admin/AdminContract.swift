import NovaCore
import NovaRegistry

/// The RPCs and the kinds of faults, for forms.
enum AdminContract {
  static let json: JSONValue = {
    let rpcs = RPCRegistry.nova.rpcs
    return [
      "version": .string(NovaSDKVersion.current), "services": .strings(rpcs.map(\.service).withoutRepeats()),
      "rpcs": .array(rpcs.map(entry)), "fault_kinds": .array(FaultKind.all.map(\.json)),
    ]
  }()

  private static func entry(_ rpc: RPCDescriptor) -> JSONValue {
    let response = try? JSONValue(jsonUTF8: HTTPTranscoder.body(of: rpc.responseType.init(), rpc.http))
    return [
      "rpc": .string(rpc.id), "method": .string(rpc.http.method.rawValue), "path": .string(rpc.http.path),
      "summary": .string(rpc.summary), "status": .number(rpc.http.successStatus),
      "request_fields": .strings(rpc.requestType.descriptor.fields.map(\.name)), "response": response ?? .null,
    ]
  }
}

extension FaultKind {
  fileprivate var json: JSONValue {
    [
      "title": .string(title), "pattern": .string(pattern), "help": .string(help),
      "parameters": .array(parameters.map(\.json)),
    ]
  }
}

extension FaultKind.Parameter {
  fileprivate var json: JSONValue {
    [
      "name": .string(name), "title": .string(title), "example": .string(example),
      "minimum": range.map { .number($0.lowerBound) }, "maximum": range.map { .number($0.upperBound) },
      "choices": choices.isEmpty ? nil : .strings(choices),
    ]
  }
}
