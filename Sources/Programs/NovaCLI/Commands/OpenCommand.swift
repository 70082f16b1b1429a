import ArgumentParser
import NovaCore

struct Open: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "open", abstract: "Print the URL of a user or a post on the website, and open it in a browser.",
    usage: "nova open <user|post> <id> [--print] [--web-url <url>] [<options>]",
    discussion: """
      nova open post post-1 --web-url https://nova.social
      nova open user ada --print

      Opens the browser only on a terminal. Sends nothing, except to find a user by name, and does not check whether the user or post exists. The \
      contract does not define these URLs: they are assumed to be <website>/users/<id> and <website>/posts/<id>. The \
      website is --web-url, or NOVA_WEB_URL, or that of the production or staging gateway.
      """)

  /// What can be opened.
  enum Kind: String, ExpressibleByArgument, CaseIterable {
    case user, post
  }

  @Argument(help: .value("kind", "user or post.")) var kind: Kind
  @Argument(help: .value("id", "ID of the user or post; for a user also @ and the name, or @me.")) var id: EntityID
  @Flag(name: .customLong("print"), help: "Only print the URL.") var printsOnly = false
  @Option(
    name: .customLong("web-url"),
    help: .value("url", "The URL of the website. Default: NOVA_WEB_URL, or the gateway's website."))
  var website: String?
  @OptionGroup(title: "Connection") var connection: ConnectionOptions

  func run() async throws {
    let website = try Website(website, configuration: try connection.configuration())
    let url = try website.url(of: kind.rawValue, try await resolvedID())
    try StandardOutput.print(url)
    guard !printsOnly, System.isTerminal(System.standardOutput) else { return }
    guard let browser = Browser.find() else { return Diagnostics.note("no browser was found; open the URL yourself") }
    try browser.open(url)
  }

  /// The ID of what is opened. Only `@me` and names need a session or a call.
  private func resolvedID() async throws -> String {
    guard kind == .user, UserReference(id.text).isExplicit else { return id.text }
    var resolved = id.text
    try await CommandContext.run(connection) { resolved = try await $0.id(ofUser: id.text) }
    return resolved
  }
}

/// The website of a gateway, whose URLs the contract does not define.
struct Website {
  private static let variable = ConfigurationVariable.website

  private let base: String

  /// - Parameter given: the URL on the command line.
  /// - Throws: ``Failure`` if there is no URL, or it is invalid.
  init(_ given: String?, configuration: APIConfiguration) throws {
    guard let text = given ?? System.variable(Self.variable) ?? Self.known(configuration) else {
      throw Failure(
        "cannot open: the website of \(configuration.place) is unknown",
        hint: "Set it with --web-url <url> or \(Self.variable).", .usage)
    }
    // Programs that open URLs run what other schemes name.
    guard let url = try? HTTPURL(parsing: text), url.query == nil else {
      let name = given == nil ? Self.variable : "--web-url"
      throw Failure("invalid \(name): \(text.quoted) is not an http or https URL without a query", .usage)
    }
    base = url.text.hasSuffix("/") ? String(url.text.dropLast()) : url.text
  }

  /// - Throws: ``Failure`` for an ID that would lead to another page.
  func url(of kind: String, _ id: String) throws -> String {
    guard id != ".", id != ".." else { throw Failure("invalid argument: \(id.quoted) is not an ID", .badData) }
    return "\(base)/\(kind)s/\(PercentEncoding.encode(id))"
  }

  /// The websites of the gateways of the built-in environments.
  private static func known(_ configuration: APIConfiguration) -> String? {
    guard !configuration.usesMockData else { return nil }
    switch configuration.baseURL.origin.host {
    case "api.nova.social": return "https://nova.social"
    case "staging-api.nova.social": return "https://staging.nova.social"
    default: return nil
    }
  }
}

/// The program that opens URLs.
struct Browser {
  private let path: String

  /// The user's browser; nil without a browser, or without a screen to show a page on.
  static func find() -> Browser? {
    #if canImport(Darwin)
      return System.isProgram("/usr/bin/open") ? Browser(path: "/usr/bin/open") : nil
    #else
      guard System.variable("DISPLAY") != nil || System.variable("WAYLAND_DISPLAY") != nil else { return nil }
      return System.searchPath(for: "xdg-open").first(where: System.isProgram).map { Browser(path: $0) }
    #endif
  }

  /// Opens a URL. The browser outlives this program.
  ///
  /// - Throws: ``Failure`` if the program cannot be run.
  func open(_ url: String) throws {
    try Failure.explaining("cannot run \(path)") { try ChildProcess.launch(path, [url]) }
  }
}
