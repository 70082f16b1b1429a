import NovaSDK

/// Whether the gateway can be reached, and accepts the token.
struct GatewayChecks {
  let configuration: APIConfiguration
  let connection: ConnectionOptions

  /// A clock that differs by more makes tokens look expired.
  private static let harmlessSkew = 30
  private static let timeout = Duration.seconds(10)

  /// The time limit of each request.
  private var limit: Duration { connection.callTimeout ?? Self.timeout }

  func run(_ report: inout DoctorReport) async {
    guard !configuration.usesMockData else {
      return report.skip("gateway", "the mock backend in memory: nothing is sent")
    }
    guard !configuration.isOffline else { return report.skip("gateway", "offline mode is on: nothing is sent") }
    addProxy(&report)
    guard await addName(&report), await addConnection(&report) else {
      return report.skip("token", "not checked: the gateway was not reached")
    }
    await addGateway(&report)
  }

  private var url: HTTPURL { configuration.baseURL }

  private func addProxy(_ report: inout DoctorReport) {
    if let socket = configuration.unixSocket { return report.ok("proxy", "none: Unix socket \("\(socket)".displayed)") }
    let proxy = "\(configuration.proxy)"
    guard proxy == "environment" else { return report.ok("proxy", proxy == "off" ? "none" : proxy) }
    let found = environmentProxy
    let exceptions = ["no_proxy", "NO_PROXY"].first { System.variable($0) != nil }
    // Its value can have a password.
    report.ok(
      "proxy", found.map { "that of \($0)\(exceptions.map { ", except for the hosts in \($0)" } ?? "")" } ?? "none")
  }

  /// The variable of the proxy that other programs use as well, if no setting replaces it.
  private var environmentProxy: String? {
    guard "\(configuration.proxy)" == "environment", configuration.unixSocket == nil else { return nil }
    let names = url.origin.isSecure ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy"]
    return (names + ["all_proxy", "ALL_PROXY"]).first { System.variable($0) != nil }
  }

  /// - Returns: whether it is worth trying to connect.
  private func addName(_ report: inout DoctorReport) async -> Bool {
    let host = url.origin.host
    if usesProxy || configuration.unixSocket != nil || !configuration.connectTo.isEmpty {
      report.skip("name", "\(host) is not looked up here")
      return true
    }
    let addresses = await NameLookup.addresses(of: host, within: limit)
    guard let addresses else {
      report.fail(
        "name", "looking up \(host) takes more than \(limit.formatted)",
        hint: "Check the name servers of this machine.", status: .noConnection)
      return false
    }
    guard !addresses.isEmpty else {
      report.fail(
        "name", "\(host) has no address",
        hint: "Check --environment and --base-url, and whether this machine is online.",
        status: .noConnection)
      return false
    }
    report.ok("name", "\(host): \(addresses.prefix(4).joined(separator: ", "))")
    return true
  }

  private var usesProxy: Bool {
    let proxy = "\(configuration.proxy)"
    return proxy == "environment" ? environmentProxy != nil : proxy != "off"
  }

  // MARK: Connection

  /// - Returns: whether the gateway has answered.
  private func addConnection(_ report: inout DoctorReport) async -> Bool {
    if url.origin.usesGRPC { return await addService(&report) }
    let transport = configuration.makeTransport()
    var limits = configuration.limits
    limits.totalTimeout = min(limit, limits.totalTimeout)
    let start = ContinuousClock.now
    let sent = Int64(ContinuousClock().unixTime)
    let result: Result<HTTPResponse, any Error>
    do {
      result = .success(try await transport.send(HTTPRequest(method: .head, url: url, limits: limits)))
    } catch { result = .failure(error) }
    await transport.shutdown()
    switch result {
    case .success(let response):
      let milliseconds = (ContinuousClock.now - start).milliseconds
      report.ok("connection", "\(url.origin.place) answered in \(milliseconds) ms")
      addTLS(&report)
      addClock(response.headers, sentAt: sent, &report)
      return true
    case .failure(let error):
      addFailure(APIError(anyFailure: error), &report)
      return false
    }
  }

  private func addService(_ report: inout DoctorReport) async -> Bool {
    let client = NovaClient(configuration: configuration) { $0.resilience = .none }
    let start = ContinuousClock.now
    var failure: APIError?
    do { try await client.client.reach(timeout: limit) } catch { failure = APIError(anyFailure: error) }
    await client.client.shutdown(grace: .zero)
    if let failure {
      addFailure(failure, &report)
      return false
    }
    report.ok("connection", "\(url.origin.place) answered in \((ContinuousClock.now - start).milliseconds) ms")
    addTLS(&report)
    return true
  }

  private func addTLS(_ report: inout DoctorReport) {
    if url.origin.isSecure {
      report.ok(
        "TLS",
        configuration.caFile.map { "the certificate is signed by one in \($0.displayed)" }
          ?? "the certificate is trusted")
    } else if url.origin.isLoopback {
      report.ok("TLS", "not used: the gateway is on this machine")
    } else {
      report.warn("TLS", "not used: no token is sent to \(url.origin.place)", hint: "Use an https URL.")
    }
  }

  private func addFailure(_ error: APIError, _ report: inout DoctorReport) {
    let failure = Failure(error, baseURL: url, signIn: configuration.signInAdvice)
    let name = error.transport?.kind == .tls ? "TLS" : "connection"
    // Messages name the gateway, not a proxy of the environment.
    let proxy = environmentProxy.map { "Requests to \(url.origin.host) go through the proxy in \($0)." }
    report.fail(
      name, error.message,
      hint: (url.origin.isLoopback ? nil : proxy) ?? RunningServers.advice(after: error, configuration) ?? failure.hint,
      status: .of(error))
  }

  private func addClock(_ headers: HTTPHeaders, sentAt sent: Int64, _ report: inout DoctorReport) {
    guard let server = headers.serverTime else { return report.skip("clock", "the gateway sends no time") }
    let difference = server - sent
    let text = "\(abs(difference)) s \(difference < 0 ? "ahead of" : "behind") that of the gateway"
    guard abs(difference) > Self.harmlessSkew else {
      return report.ok("clock", difference == 0 ? "that of the gateway" : text)
    }
    report.warn(
      "clock", text,
      hint: "Set the clock of this machine, for example with NTP: tokens can look expired, or not valid yet.")
  }

  // MARK: Gateway and token

  private func addGateway(_ report: inout DoctorReport) async {
    do {
      try await CommandContext.run(connection) { context in
        guard configuration.token == nil, try await context.signedInUser() == nil else {
          return try await addToken(context, &report)
        }
        guard await addResponse(context, &report) else { return report.skip("token", "not checked") }
        let failure = context.notSignedIn
        SessionFile.hasEnded(configuration)
          ? report.fail("token", failure.message, hint: failure.hint, status: failure.status)
          : report.skip("token", "nobody is signed in")
      }
    } catch let failure as Failure {
      report.fail("token", failure.message, hint: failure.hint, status: failure.status)
    } catch {
      report.fail("token", "\(error)")
    }
  }

  /// Makes a call without a token: web servers, and the sign-in pages of networks, respond as well.
  ///
  /// - Returns: whether the response is that of a gateway.
  private func addResponse(_ context: CommandContext, _ report: inout DoctorReport) async -> Bool {
    let users = context.users.with {
      $0.retry = .never
      $0.timeout = limit
    }
    do { _ = try await users.searchUsers(query: "nova", limit: 1) } catch {
      let error = APIError(anyFailure: error)
      let isGateway = !error.isFromAnotherServer && [.unauthorized, .permissionDenied].contains(error.code)
      guard isGateway else {
        let failure = Failure(error, baseURL: url, signIn: configuration.signInAdvice)
        report.fail("gateway", failure.message, hint: failure.hint ?? Self.wrongPath(error), status: failure.status)
        return false
      }
    }
    report.ok("gateway", "responds to calls")
    return true
  }

  /// A search is never without a result: only its path can be unknown.
  private static func wrongPath(_ error: APIError) -> String? {
    error.code == .notFound ? "Check the path in the URL of the gateway." : nil
  }

  /// Asks the gateway whether it accepts the token, which of a session is known only then.
  private func addToken(_ context: CommandContext, _ report: inout DoctorReport) async throws {
    guard let user = try await context.signedInUser() else { throw context.notSignedIn }
    let name = user.username.isEmpty ? user.id : "\(user.username) (\(user.id))"
    let isSession = configuration.token == nil
    if isSession, let token = try await context.nova.sessions.accessToken() {
      let answer = try await context.auth.verifyToken(token: token.secretValue)
      guard answer.isValid, !answer.isRevoked else {
        return report.fail(
          "token", "the gateway no longer accepts the session of \(name.printable(to: 120))",
          hint: "Sign in again with `\(configuration.signInCommand())`.", status: .notAllowed)
      }
    }
    report.ok("gateway", "responds to calls")
    report.ok(
      "token", "\(isSession ? "the session" : "the token") of \(name.printable(to: 120))\(Self.expiry(context))")
  }

  private static func expiry(_ context: CommandContext) -> String {
    guard let session = (try? context.nova.sessions)?.current, session.expiresAt > 0 else { return "" }
    let seconds = session.expiresAt - Int64(ContinuousClock().unixTime)
    return seconds > 0 ? ", valid for another \(Duration.seconds(seconds).formatted)" : ""
  }
}
