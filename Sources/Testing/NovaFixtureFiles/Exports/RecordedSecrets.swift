import NovaCore
import NovaRecording

/// Where the secrets of a recording come from: a response that has one, or the check that made one up.
struct RecordedSecrets {
  /// The secrets of responses, which differ from run to run.
  let received: Set<Int>
  /// The secrets that the check made up, with a value to use in their place.
  let madeUp: [Int: String]
  private let places: [String: [(number: Int, path: [String])]]

  /// - Parameter exchanges: with the recording's placeholders, in order.
  init(_ exchanges: [FixtureExchange]) {
    var received: Set<Int> = []
    var statuses: [Int: Set<Int>] = [:]
    var places: [String: [(number: Int, path: [String])]] = [:]
    for exchange in exchanges {
      for number in Self.placeholders(in: exchange.request) where !received.contains(number) {
        statuses[number, default: []].insert(exchange.response.status)
      }
      guard let json = try? JSONValue(jsonUTF8: exchange.response.body.inMemory) else { continue }
      for (number, path) in Self.places(in: json, []) where statuses[number] == nil && received.insert(number).inserted
      {
        places[Self.key(exchange), default: []].append((number, path))
      }
    }
    (self.received, self.places) = (received, places)
    madeUp = Dictionary(
      uniqueKeysWithValues: statuses.map { number, statuses in
        // What was always refused as invalid was too short for a password.
        (number, statuses == [400] ? "short" : "fixture-secret-\(number)")
      })
  }

  /// The secrets that the response to an exchange has first, with the names of the members that lead to them.
  func places(in exchange: FixtureExchange) -> [(number: Int, path: [String])] { places[Self.key(exchange)] ?? [] }

  /// The numbers of the secrets in a request.
  static func placeholders(in request: HTTPRequest) -> [Int] {
    let texts =
      request.headers.map(\.value) + [request.url.text, String(decoding: request.body.inMemory, as: UTF8.self)]
    return texts.flatMap { text in
      SecretPlaceholder.pieces(text).compactMap { piece in
        if case .placeholder(let placeholder) = piece { placeholder.number } else { nil }
      }
    }
  }

  /// Names are unique among the exchanges of an RPC.
  private static func key(_ exchange: FixtureExchange) -> String { "\(exchange.rpc): \(exchange.name)" }

  /// The members that are a secret as a whole.
  private static func places(in json: JSONValue, _ path: [String]) -> [(number: Int, path: [String])] {
    guard case .object(let members) = json else { return [] }
    return members.flatMap { member -> [(number: Int, path: [String])] in
      let path = path + [member.name]
      guard case .string(let text) = member.value else { return places(in: member.value, path) }
      let pieces = SecretPlaceholder.pieces(text)
      guard pieces.count == 1, case .placeholder(let placeholder) = pieces[0] else { return [] }
      return [(placeholder.number, path)]
    }
  }
}
