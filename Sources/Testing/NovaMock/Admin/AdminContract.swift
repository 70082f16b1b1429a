import NovaCore
import NovaRegistry

/// The RPCs and the kinds of faults, for forms.
enum AdminContract {
  static let json: JSONValue = {
    let rpcs = RPCRegistry.nova.rpcs
    var services: [JSONValue] = []
    for rpc in rpcs where !services.contains(.string(rpc.service)) { services.append(.string(rpc.service)) }
    return .members(
      ("version", .string(NovaSDKVersion.current)), ("services", .array(services)), ("rpcs", .array(rpcs.map(entry))),
      ("fault_kinds", .array(FaultKind.all.map(\.json))))
  }()

  private static func entry(_ rpc: RPCDescriptor) -> JSONValue {
    let response = try? JSONValue(jsonUTF8: HTTPTranscoder.body(of: rpc.responseType.init(), rpc.http))
    return .members(
      ("rpc", .string(rpc.id)), ("method", .string(rpc.http.method.rawValue)), ("path", .string(rpc.http.path)),
      ("summary", .string(rpc.summary)), ("status", .number(String(rpc.http.successStatus))),
      ("request_fields", .array(rpc.requestType.descriptor.fields.map { .string($0.name) })),
      ("response", response ?? .null))
  }
}

extension FaultKind {
  fileprivate var json: JSONValue {
    .members(
      ("title", .string(title)), ("pattern", .string(pattern)), ("help", .string(help)),
      ("parameters", .array(parameters.map(\.json))))
  }
}

extension FaultKind.Parameter {
  fileprivate var json: JSONValue {
    .members(
      ("name", .string(name)), ("title", .string(title)), ("example", .string(example)),
      ("minimum", range.map { .number(String($0.lowerBound)) }),
      ("maximum", range.map { .number(String($0.upperBound)) }),
      ("choices", choices.isEmpty ? nil : .array(choices.map { .string($0) })))
  }
}
