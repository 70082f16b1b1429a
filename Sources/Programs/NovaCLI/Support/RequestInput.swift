import NovaSDK

/// A request of a command line: JSON, `@file`, or `-` for standard input.
struct RequestInput {
  let bytes: [UInt8]
  /// The name in messages: `request`, or the name of the file; nil for standard input.
  let name: String?

  init(_ argument: String) throws {
    // By bytes: the name of a file can begin with a mark that joins the @.
    let path = argument.utf8.first == UInt8(ascii: "@") ? String(Substring(argument.utf8.dropFirst())) : nil
    guard path != "" else { throw Failure("invalid argument: @ requires the path of a file", .usage) }
    guard argument == "-" || path != nil else {
      (bytes, name) = (Array(argument.utf8), "request")
      return
    }
    let input = try Input.read(path)
    (bytes, name) = (input.bytes, input.name)
  }
}

extension RPCDescriptor {
  /// Finds an RPC by its name on a command line.
  ///
  /// - Parameter list: how to list all names.
  /// - Throws: ``Failure`` with the closest names if there is none.
  static func named(_ name: String, list: String = "List all with `nova call --list`.") throws -> RPCDescriptor {
    if let found = RPCRegistry.nova.rpc(named: name) { return found }
    throw Failure("not found: RPC \"\(name.printable(to: 100))\"", hint: hint(for: name, otherwise: list), .usage)
  }

  private static func hint(for name: String, otherwise list: String) -> String {
    let path = "/\(name.lowercased())"
    if let known = RPCRegistry.nova.rpcs.first(where: { "/\($0.package)/\($0.method)".lowercased() == path }) {
      return "Did you mean \(known.id)?"
    }
    if ServiceAddress.isMissingScheme(name) {
      return "To call a gRPC server, write its URL with grpc:// or grpcs://; see `nova call --help`."
    }
    return Suggestions.sentence(for: name, among: RPCRegistry.nova.rpcs.map(\.id), otherwise: list)
  }
}
