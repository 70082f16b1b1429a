import NovaCore
import NovaSDK

extension Failure {
  /// A call that failed.
  ///
  /// - Parameter baseURL: where it went.
  init(_ error: APIError, baseURL: String) {
    var shown = error
    if let said = error.server?.message, !said.isEmpty {
      shown.message += "; the server says \"\(said.printable(to: 300))\""
    }
    self.init("\(shown)", hint: Self.hint(error, baseURL), .of(error))
  }

  private static func hint(_ error: APIError, _ baseURL: String) -> String? {
    switch error.code {
    case .unauthorized:
      """
      Sign in with `nova login <e-mail>`, or put a valid token into NOVA_TOKEN, or into a file whose path is in \
      NOVA_TOKEN_FILE.
      """
    case .networkError where error.transport?.kind == .connectionRefused && isLocal(baseURL):
      """
      Nothing listens there. Start the mock backend with `nova serve` in another terminal, answer this call in memory \
      with --mock, or say with --environment or --base-url where the gateway is.
      """
    case .networkError where error.transport?.kind == .nameResolution:
      "Check --environment, --base-url and NOVA_BASE_URL, and whether this machine is online."
    case .unconfirmed: hint(error.unconfirmedRecord, error.rpc)
    case .timeout: "Give it more time with --timeout, for example --timeout 60s."
    case .unimplemented where isLocal(baseURL): "`nova call --list` lists the RPCs of the contract."
    default: nil
    }
  }

  /// The advice for a record that exists, but differs from what was sent.
  private static func hint(_ record: UnconfirmedRecord?, _ name: String?) -> String? {
    guard let record else { return nil }
    let id = record.id.map { " Its id is \($0.printable(to: 80))." } ?? ""
    var hint = "The record is there: running the command again may make another one.\(id)"
    guard let rpc = name.flatMap(RPCRegistry.nova.rpc(named:)) else { return hint }
    let fields = record.fields.compactMap { rpc.requestType.descriptor.field(named: $0) }
    if rpc.http.names == .lowerCamelCase, fields.contains(where: { $0.name != $0.jsonName }) {
      hint += """
        \nThe service may read its fields under other names: set NOVA_\(rpc.service.uppercased())_REQUEST_NAMES=snake_case, \
        or services.\(rpc.service).request_names in APIConfig.json.
        """
    }
    return hint
  }

  private static func isLocal(_ baseURL: String) -> Bool { (try? HTTPURL(baseURL))?.isLoopback ?? false }
}

extension ExitStatus {
  /// The status of a call that failed.
  static func of(_ error: APIError) -> ExitStatus {
    switch error.code {
    case .unauthorized, .permissionDenied: .notAllowed
    case .notFound: .notFound
    case .networkError, .timeout: .noConnection
    case .decodingError, .invalidResponse, .unconfirmed: .badData
    // Refused before anything was sent: the request was not what the contract asks for.
    case .invalidArgument where error.httpStatus == nil && error.transport == nil: .badData
    case .cancelled where Interruption.happened: Interruption.status
    default: .failed
    }
  }
}
