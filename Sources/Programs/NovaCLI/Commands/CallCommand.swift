import ArgumentParser
import NovaSDK

struct Call: AsyncParsableCommand, CommandOptions {
  static let configuration = CommandConfiguration(
    commandName: "call", abstract: "Call any RPC of the contract, or of a gRPC server.",
    usage: """
      nova call <rpc> [<json>] [<field>=<value> ...] [<options>]
      nova call grpc://<host>:<port>/<service>/<rpc> [<json>] [<field>=<value> ...] [<options>]
      nova call --list [<words>]
      """,
    discussion: """
      nova call graph.GetFollowers user_id=mock-user-id limit=3 --mock
      nova call graph.GetFollowers '{"user_id": "mock-user-id", "limit": 3}' --mock
      nova call user.GetUserProfile user_id=@bruce_li --mock --curl
      nova call content.CreatePost @post.json
      echo '{"query": "bruce"}' | nova call user.SearchUsers -
      nova call grpc://localhost:50051/acme.shop.v1.Shop/GetOrder '{"id": "7"}'

      A field's value is read by its type: limit=3 is a number. A repeated field is given several times, a field of a \
      message as post.title=Walk, JSON after :=, and the text of a file after =@. In fields with IDs of users, @me and @ \
      with a user name are the user. Fields are added to the JSON, if both are given.

      Field names can be snake_case or lowerCamelCase. Prints the response as JSON. A streaming RPC prints one \
      response per line, as they arrive, until the stream ends or you press Ctrl-C.

      With a URL, calls any gRPC server that describes its services by reflection: see `nova describe <url>`. No token \
      is sent to it, except one that you pass with --header.
      """)

  @Argument(help: .value("rpc", "The RPC, such as graph.GetFollowers; ignores case."), completion: Completions.rpcs)
  var rpc: String?

  @Argument(
    help: .value("request", "The request as JSON, @file, or - for standard input, and fields as name=value."),
    completion: Completions.request)
  var arguments: [String] = []

  @Flag(help: "List the RPCs, or those whose name contains <words>.")
  var list = false

  @OptionGroup var preview: PreviewOptions
  @OptionGroup var fields: UnknownFieldOptions
  @OptionGroup var header: HeaderOptions
  @OptionGroup var output: OutputOptions<CallFormat>
  @OptionGroup var filter: FilterOptions
  @OptionGroup(title: "Connection") var connection: ConnectionOptions
  @OptionGroup(title: "Connection") var storing: StoreOptions

  func validate() throws {
    if rpc == nil, !list { throw ValidationError("missing <rpc>: list all with `nova call --list`") }
    if rpc.flatMap(ServiceAddress.init) != nil, storing.offline || storing.cache != nil {
      throw ValidationError("--offline and --cache apply to RPCs of the contract only")
    }
    if rpc.flatMap(ServiceAddress.init) != nil, preview.isUsed {
      throw ValidationError("--dry-run and --curl apply to RPCs of the contract only")
    }
    if preview.curl, filter.isUsed || output.format != nil {
      throw ValidationError("--curl prints a command: it cannot be combined with --output, --jq, or --template")
    }
    if list, !arguments.isEmpty { throw ValidationError("unexpected argument \"\(arguments[0].printable(to: 100))\"") }
    if !list { _ = try CallRequest(arguments) }
    try checkOutput()
    if !list, let chosenFormat, chosenFormat == .table || chosenFormat == .ids {
      throw ValidationError("invalid --output: responses are JSON; use json or ndjson")
    }
  }

  func run() async throws {
    if list {
      if let address = rpc.flatMap(ServiceAddress.init) {
        throw Failure(
          "--list lists the RPCs of the contract",
          hint: "List those of a server with `nova describe \(address.server)`.",
          .usage)
      }
      return try RPCList(containing: rpc ?? "").write(as: format, showing: view)
    }
    if let address = rpc.flatMap(ServiceAddress.init) { return try await call(address) }
    let descriptor = try RPCDescriptor.named(rpc ?? "")
    if !preview.isUsed { try check(descriptor.responseType.descriptor) }
    let request = try await CallRequest(arguments).resolved(with: connection).message(of: descriptor, fields)
    if preview.isUsed {
      let preview = RequestPreview(rpc: descriptor, request: request, headers: try header.fields())
      return try await preview.print(
        connection, asCurl: self.preview.curl, to: try filter.standardOutput(), as: chosenFormat)
    }
    let dialect = descriptor.http.json(includesDefaults: true)
    let headers = try header.fields()
    try await CommandContext.run(self, sending: request) { context in
      var options = context.options
      options.headers = headers
      guard !descriptor.isServerStreaming else {
        var isEmpty = true
        for try await response in try await context.client.stream(descriptor, request, options: options) {
          isEmpty = false
          try context.write(response, as: chosenFormat ?? .ndjson, dialect: dialect)
          try context.output.settle()
        }
        try Task.checkCancellation()
        if isEmpty { Diagnostics.warning("the stream ended without a message") }
        return
      }
      let response = try await context.client.respond(descriptor, request, options: options)
      try context.write(response.value, as: chosenFormat ?? .json, dialect: dialect)
    }
  }

  /// Calls an RPC of a server that describes itself.
  private func call(_ address: ServiceAddress) async throws {
    #if GRPC
      let connection = try connection.calling(address)
      let (json, name) = try CallRequest(arguments).json()
      let call = ServiceCall(
        address: address, headers: try header.fields(), ignoresUnknownFields: fields.areAllowed, format: chosenFormat)
      try await CommandContext.run(connection, showing: view) { context in
        try await context.calling(address) { try await call.run(json, named: name, in: context) }
      }
    #else
      throw Failure("this nova cannot call gRPC servers: it was built without the package trait GRPC", .usage)
    #endif
  }
}

/// Whether a request may have unknown fields.
struct UnknownFieldOptions: ParsableArguments {
  @Flag(name: .customLong("allow-unknown-fields"), help: "Ignore fields that the message does not have.")
  var areAllowed = false

  func read(_ type: any ProtoMessage.Type, from bytes: [UInt8]) throws(ProtoJSONError) -> any ProtoMessage {
    areAllowed ? try type.init(jsonUTF8: bytes) : try type.init(refusingUnknownFieldsIn: bytes)
  }
}

/// The formats of responses, and of the list of RPCs.
enum CallFormat: String, OutputFormats {
  case table, json, ndjson, ids

  static let help: ArgumentHelp = "json or ndjson for responses; all formats for --list."
}
