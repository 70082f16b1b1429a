public import NovaCore

/// Sends the requests of a Postman collection in order, as Postman's runner does.
///
/// It knows as much of the scripts as our exports use: `to.have.status(…)` and `collectionVariables.set(…)`.
public struct PostmanReplay {
  /// A request, the status that its test requires, and what came.
  public struct Result: CustomStringConvertible {
    public let place: String
    /// Nil without a test.
    public let promised: Int?
    public let status: Int
    public let response: String

    public var isKept: Bool { promised == status }
    public var description: String {
      "\(place): \(promised.map(String.init) ?? "nothing") promised, got \(status): \(response)"
    }
  }

  private let transport: any HTTPTransport
  private var variables: [String: String] = [:]
  private var results: [Result] = []

  /// - Parameter overriding: variables in place of those of the collection.
  public static func run(
    _ collection: JSONValue, over transport: any HTTPTransport, overriding: [String: String] = [:]
  ) async throws -> [Result] {
    var replay = PostmanReplay(transport: transport)
    for variable in collection["variable"]?.elements ?? [] {
      replay.variables[variable["key"]?.stringValue ?? ""] = variable["value"]?.stringValue
    }
    replay.variables.merge(overriding) { $1 }
    try await replay.run(collection, in: "")
    return replay.results
  }

  private init(transport: any HTTPTransport) { self.transport = transport }

  private mutating func run(_ folder: JSONValue, in place: String) async throws {
    for item in folder["item"]?.elements ?? [] {
      let place = "\(place)/\(item["name"]?.stringValue ?? "")"
      if let request = item["request"] {
        try await send(request, of: item, at: place)
      } else {
        try await run(item, in: place)
      }
    }
  }

  private mutating func send(_ json: JSONValue, of item: JSONValue, at place: String) async throws {
    var headers = HTTPHeaders(
      (json["header"]?.elements ?? []).map {
        .init(name: $0["key"]?.stringValue ?? "", value: filled($0["value"]?.stringValue ?? ""))
      })
    let inherits = json["auth"]?["type"]?.stringValue != "noauth"
    if inherits, headers["Authorization"] == nil { headers["Authorization"] = "Bearer \(filled("{{token}}"))" }
    let request = HTTPRequest(
      method: HTTPMethod(rawValue: json["method"]?.stringValue ?? ""),
      url: try HTTPURL(parsing: filled(json["url"]?["raw"]?.stringValue ?? "")), headers: headers,
      body: Array(filled(json["body"]?["raw"]?.stringValue ?? "").utf8))
    let response = try await transport.send(request)
    let body = try await response.body.collect(upTo: 1 << 24)
    let lines = (item["event"]?.elements ?? []).flatMap { $0["script"]?["exec"]?.elements ?? [] }
      .compactMap(\.stringValue)
    let promised = lines.compactMap { $0.firstMatch(of: /to\.have\.status\((\d+)\)/).flatMap { Int($0.1) } }.first
    results.append(
      Result(
        place: place, promised: promised, status: response.status,
        response: String(decoding: body.prefix(300), as: UTF8.self)))
    // Most lines set no variable: a regular expression, and the response as JSON, are for those that do.
    for line in lines where line.contains("collectionVariables.set") {
      guard let match = line.firstMatch(of: /collectionVariables\.set\("(\w+)", pm\.response\.json\(\)\["(\w+)"\]\)/)
      else { continue }
      let parsed = try? JSONValue(jsonUTF8: body)
      variables[String(match.1)] = parsed?[String(match.2)]?.stringValue ?? ""
    }
  }

  private func filled(_ text: String) -> String {
    guard text.contains("{{") else { return text }
    return text.replacing(/\{\{(\w+)\}\}/) { variables[String($0.1)] ?? String($0.0) }
  }
}
