import ArgumentParser
import NovaContract
import NovaSDK

/// The options that print a request in place of sending it.
struct PreviewOptions: ParsableArguments {
  @Flag(help: "Print the request, without its secrets, and send nothing.")
  var dryRun = false

  @Flag(help: "Print the request as a curl command, with the token as $NOVA_TOKEN, and send nothing.")
  var curl = false

  func validate() throws {
    if dryRun, curl { throw ValidationError("--dry-run and --curl cannot be combined") }
  }

  var isUsed: Bool { dryRun || curl }
}

/// A call whose request is printed and not sent.
struct RequestPreview {
  let rpc: RPCDescriptor
  let request: any ProtoMessage
  let headers: HTTPHeaders

  /// Prints the request that a client with this configuration would send.
  ///
  /// - Throws: ``Failure`` for a request that would not be sent either.
  func print(_ connection: ConnectionOptions, asCurl: Bool, to output: StandardOutput, as format: OutputFormat?)
    async throws
  {
    let configuration = try connection.configuration()
    configuration.warnings.forEach(Diagnostics.warning)
    let sent = try await prepared(configuration, timeout: connection.callTimeout)
    if asCurl {
      if configuration.usesMockData {
        Diagnostics.note("the mock backend in memory has no URL; the command is for `nova serve`")
      }
      try output.writeLine(CurlCommand(sent, of: rpc).text)
    } else {
      try write(sent, configuration, to: output, as: format)
    }
    try output.finish()
  }

  private func prepared(_ configuration: APIConfiguration, timeout: Duration?) async throws -> HTTPRequest {
    let transport = KeepingTransport()
    let client = NovaClient(configuration: configuration, transport: transport) { $0.resilience = .none }
    var options = CallOptions(timeout: timeout)
    options.headers = headers
    // The session is neither read nor refreshed.
    if try await hasToken(configuration) { options.token = try AccessToken(Self.placeholder) }
    do {
      if rpc.isServerStreaming {
        for try await _ in try await client.client.stream(rpc, request, options: options) {}
      } else {
        _ = try await client.client.respond(rpc, request, options: options)
      }
    } catch {
      if let sent = transport.request { return sent }
      guard let error = error as? APIError else { throw error }
      throw Failure(error, baseURL: configuration.baseURL, signIn: configuration.signInAdvice)
    }
    throw Failure("cannot show the request: nothing would be sent", .failed)
  }

  /// In the place of the token.
  private static let placeholder = "NOVA_TOKEN"

  private func hasToken(_ configuration: APIConfiguration) async throws -> Bool {
    if configuration.token != nil { return true }
    return try await SessionFile.isSignedIn(configuration)
  }

  private func write(
    _ sent: HTTPRequest, _ configuration: APIConfiguration, to output: StandardOutput, as format: OutputFormat?
  ) throws {
    let url = sent.url.shown(isMock: configuration.usesMockData)
    let fields = sent.headers.fields.map { field in
      (
        field.name,
        field.name.lowercased() == "authorization" || SecretText.isSecret(name: field.name)
          ? SecretText.mask : field.value
      )
    }
    let json = try JSONValue(jsonUTF8: request.jsonUTF8(rpc.http.json(includesDefaults: false)))
    let body = SecretText.masked(json, names: SecretText.names(in: rpc.requestType))
    let hasBody = !sent.body.inMemory.isEmpty
    if let format {
      let headers = JSONValue.object(fields.map { .init(name: $0.0, value: .string($0.1)) })
      return try output.writeLine(
        .members(
          ("method", .string(sent.method.rawValue)), ("url", .string(url)), ("headers", headers),
          ("body", hasBody ? body : nil)), as: format)
    }
    try output.writeLine("\(sent.method.rawValue) \(url)")
    for (name, value) in fields { try output.writeLine("\(name): \(value)".displayed) }
    if hasBody {
      try output.writeLine("")
      try output.writeLine(json: PrettyJSON.spread(body))
    }
  }
}

/// Keeps the request, and sends nothing.
private final class KeepingTransport: HTTPTransport {
  private let kept = Locked<HTTPRequest?>(nil)

  var request: HTTPRequest? { kept.withLock { $0 } }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    kept.withLock { $0 = $0 ?? request }
    throw CancellationError()
  }
}
