import NovaCore
import NovaSDK

/// The RPCs of the contract, for `nova call --list`.
struct RPCList {
  let rpcs: [RPCDescriptor]

  /// The RPCs whose name contains `text`.
  init(containing text: String) throws {
    rpcs = RPCRegistry.nova.rpcs.filter { text.isEmpty || $0.id.lowercased().contains(text.lowercased()) }
    guard rpcs.isEmpty else { return }
    let names = RPCRegistry.nova.rpcs.map(\.id)
    throw Failure(
      "not found: an RPC with \"\(text.printable(to: 100))\" in its name",
      hint: Suggestions.sentence(for: text, among: names, otherwise: "List all with `nova call --list`."), .usage)
  }

  func write(_ format: OutputFormat) throws {
    let output = StandardOutput()
    switch format {
    case .table:
      var table = Table("RPC", "EFFECT", "SUMMARY")
      table.rows = rpcs.map { [$0.id, $0.effect.words, $0.summary] }
      for line in table.lines(output.styles) { try output.writeLine(line) }
    case .ids: for rpc in rpcs { try output.writeLine(rpc.id) }
    case .ndjson: for rpc in rpcs { try output.writeLine(json: Self.json(rpc).jsonUTF8) }
    case .json: try output.writeLine(json: PrettyJSON.spread(.array(rpcs.map(Self.json))))
    }
    try output.flush()
  }

  private static func json(_ rpc: RPCDescriptor) -> JSONValue {
    .object([
      .init(name: "rpc", value: .string(rpc.id)),
      .init(name: "effect", value: .string(rpc.effect.words)),
      .init(name: "method", value: .string(rpc.http.method.rawValue)),
      .init(name: "path", value: .string(rpc.http.path)),
      .init(name: "request", value: .string(rpc.requestType.descriptor.name)),
      .init(name: "response", value: .string(rpc.responseType.descriptor.name)),
      .init(name: "summary", value: .string(rpc.summary)),
    ])
  }
}

extension RPCEffect {
  /// What repeating a call does, in a word or two.
  var words: String {
    switch self {
    case .noSideEffects: "reads"
    case .idempotent: "writes, repeatable"
    case .notIdempotent: "writes"
    }
  }
}
