import NovaCore
import NovaTesting

/// The mock behind a gateway with a defect.
struct WrongGateway: HTTPTransport {
  /// Changes an answer of the mock.
  typealias Change = @Sendable (HTTPRequest, HTTPResponse) -> HTTPResponse

  let base: any HTTPTransport
  let path: String
  let change: Change

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    let response = try await base.send(request)
    guard request.url.text.hasPrefix("http://localhost:8080\(path)") else { return response }
    let rest = request.url.text.dropFirst("http://localhost:8080\(path)".utf8.count)
    return rest.isEmpty || rest.first == "?" ? change(request, response) : response
  }
}

extension WrongGateway {
  /// Changes the JSON of successful answers.
  static func json(_ change: @escaping @Sendable (JSONValue) -> JSONValue) -> Change {
    { _, response in
      guard response.isSuccess, let json = try? JSONValue(jsonUTF8: response.body.inMemory) else { return response }
      var response = response
      response.body = .bytes(change(json).jsonUTF8)
      return response
    }
  }

  /// Changes the members of a name, wherever they are.
  static func member(_ name: String, _ change: @escaping @Sendable (JSONValue) -> [JSONValue.Member]) -> Change {
    json { $0.changing(name, change) }
  }

  /// Changes successful answers as text.
  static func text(_ change: @escaping @Sendable (String) -> String) -> Change {
    { _, response in
      guard response.isSuccess else { return response }
      var response = response
      response.body = .bytes(Array(change(String(decoding: response.body.inMemory, as: UTF8.self)).utf8))
      return response
    }
  }

  /// Changes answers that are no success.
  static func failures(_ change: @escaping @Sendable (inout HTTPResponse) -> Void) -> Change {
    { _, response in
      var response = response
      if !response.isSuccess { change(&response) }
      return response
    }
  }

  /// Changes successful answers.
  static func answers(_ change: @escaping @Sendable (inout HTTPResponse) -> Void) -> Change {
    { _, response in
      var response = response
      if response.isSuccess { change(&response) }
      return response
    }
  }
}

extension JSONValue {
  func changing(_ name: String, _ change: (JSONValue) -> [Member]) -> JSONValue {
    switch self {
    case .object(let members):
      .object(
        members.flatMap { member in
          member.name == name
            ? change(member.value) : [Member(name: member.name, value: member.value.changing(name, change))]
        })
    case .array(let elements): .array(elements.map { $0.changing(name, change) })
    default: self
    }
  }

  /// Every name in lowerCamelCase.
  var camelCased: JSONValue {
    switch self {
    case .object(let members):
      .object(members.map { Member(name: $0.name.camelCased, value: $0.value.camelCased) })
    case .array(let elements): .array(elements.map(\.camelCased))
    default: self
    }
  }
}

extension String {
  fileprivate var camelCased: String {
    let words = split(separator: "_")
    return (words.first.map(String.init) ?? "")
      + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }
}
