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

  func write(as format: OutputFormat, showing view: OutputView) throws {
    if format == .ids { return try StandardOutput.print(rpcs.map(\.id)) }
    var table = Table("RPC", "EFFECT", "SUMMARY", fit: TableFit(texts: [2], main: 2, dispensable: [1], wrapsLast: true))
    table.rows = rpcs.map { [$0.id, $0.effect.words, $0.summary] }
    try table.print(format, json: rpcs.map(Self.json), showing: view)
  }

  private static func json(_ rpc: RPCDescriptor) -> JSONValue {
    .members(
      ("rpc", .string(rpc.id)), ("effect", .string(rpc.effect.words)), ("method", .string(rpc.http.method.rawValue)),
      ("path", .string(rpc.http.path)), ("request", .string(rpc.requestType.descriptor.name)),
      ("response", .string(rpc.responseType.descriptor.name)), ("summary", .string(rpc.summary)),
      ("fields", .array(rpc.requestType.descriptor.described(in: rpc).map(\.json))))
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
