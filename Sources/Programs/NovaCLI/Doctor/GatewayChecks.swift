import NovaSDK

/// Whether the gateway can be reached, and accepts the token.
struct GatewayChecks {
  let configuration: APIConfiguration
  let connection: ConnectionOptions

  /// A clock that differs by more makes tokens look expired.
  private static let harmlessSkew = 30
  private static let timeout = Duration.seconds(10)

  func run(_ report: inout DoctorReport) async {
    guard !configuration.usesMockData else {
      return report.skip("gateway", "the mock backend in memory: nothing is sent")
    }
    guard !configuration.isOffline else { return report.skip("gateway", "offline mode is on: nothing is sent") }
    addProxy(&report)
    guard await addName(&report), await addConnection(&report) else {
      return report.skip("token", "not checked: the gateway was not reached")
    }
    await addToken(&report)
  }

  private var url: HTTPURL { configuration.baseURL }

  private func addProxy(_ report: inout DoctorReport) {
    if let socket = configuration.unixSocket { return report.ok("proxy", "none: Unix socket \("\(socket)".displayed)") }
    let proxy = "\(configuration.proxy)"
    guard proxy == "environment" else { return report.ok("proxy", proxy == "off" ? "none" : proxy) }
    let names = url.origin.isSecure ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy"]
    let found = (names + ["all_proxy", "ALL_PROXY"]).first { System.variable($0) != nil }
    let exceptions = ["no_proxy", "NO_PROXY"].first { System.variable($0) != nil }
    // Its value can have a password.
    report.ok(
      "proxy", found.map { "that of \($0)\(exceptions.map { ", except for the hosts in \($0)" } ?? "")" } ?? "none")
  }

  /// - Returns: whether it is worth trying to connect.
  private func addName(_ report: inout DoctorReport) async -> Bool {
    let host = url.origin.host
    if usesProxy || configuration.unixSocket != nil || !configuration.connectTo.isEmpty {
      report.skip("name", "\(host) is not looked up here")
      return true
    }
    let addresses = await NameLookup.addresses(of: host, within: Self.timeout)
    guard let addresses else {
      report.fail(
        "name", "looking up \(host) takes more than 10 s", hint: "Check the name servers of this machine.",
        status: .noConnection)
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
    guard proxy == "environment" else { return proxy != "off" }
    return ["https_proxy", "HTTPS_PROXY", "http_proxy", "all_proxy", "ALL_PROXY"].contains {
      System.variable($0) != nil
    }
  }

  // MARK: Connection

  /// - Returns: whether the gateway has answered.
  private func addConnection(_ report: inout DoctorReport) async -> Bool {
    if url.origin.usesGRPC { return await addService(&report) }
    let transport = configuration.makeTransport()
    var limits = configuration.limits
    limits.totalTimeout = Self.timeout
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
    do { try await client.client.reach(timeout: Self.timeout) } catch { failure = APIError(anyFailure: error) }
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
    report.fail(
      name, error.message, hint: RunningServers.advice(after: error, configuration) ?? failure.hint, status: .of(error))
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

  // MARK: Token

  private func addToken(_ report: inout DoctorReport) async {
    do {
      try await CommandContext.run(connection) { context in
        guard let user = try await context.signedInUser() else {
          return SessionFile.hasEnded(configuration)
            ? report.fail("token", context.notSignedIn.message, hint: context.notSignedIn.hint, status: .notAllowed)
            : report.skip("token", "nobody is signed in")
        }
        let name = user.username.isEmpty ? user.id : "\(user.username) (\(user.id))"
        let isSession = configuration.token == nil
        report.ok(
          "token", "\(isSession ? "the session" : "the token") of \(name.printable(to: 120))\(Self.expiry(context))")
      }
    } catch let failure as Failure {
      report.fail("token", failure.message, hint: failure.hint, status: failure.status)
    } catch {
      report.fail("token", "\(error)")
    }
  }

  private static func expiry(_ context: CommandContext) -> String {
    guard let session = (try? context.nova.sessions)?.current, session.expiresAt > 0 else { return "" }
    let seconds = session.expiresAt - Int64(ContinuousClock().unixTime)
    return seconds > 0 ? ", valid for another \(Duration.seconds(seconds).formatted)" : ""
  }
}
