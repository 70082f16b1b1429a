import NovaCore
import NovaRecording

/// The secrets of a recording as variables of a Postman collection.
///
/// Tokens differ from run to run: the script of the response that has one sets its variable. The others were made up by
/// the check, and get a value of their own.
struct PostmanSecrets {
  /// The variables with their first values.
  let values: [(String, String)]
  /// For each recorded request, the variables that its response sets, and their places in it.
  private let scripts: [String: [String]]

  /// - Parameter exchanges: with the recording's placeholders, in order.
  init(_ exchanges: [FixtureExchange]) {
    var known: Set<Int> = []
    var madeUp: [Int: Set<Int>] = [:]
    var scripts: [String: [String]] = [:]
    for exchange in exchanges {
      for number in Self.placeholders(in: exchange.request) where !known.contains(number) {
        madeUp[number, default: []].insert(exchange.response.status)
      }
      guard let json = try? JSONValue(jsonUTF8: exchange.response.body.inMemory) else { continue }
      for (number, path) in Self.places(in: json, []) where madeUp[number] == nil && known.insert(number).inserted {
        scripts[Self.key(exchange), default: []].append(Self.set(Self.name(number), to: path))
      }
    }
    self.scripts = scripts
    values =
      known.sorted().map { (Self.name($0), "") }
      + madeUp.sorted { $0.key < $1.key }.map { number, statuses in
        // What was always refused as invalid was too short for a password.
        (Self.name(number), statuses == [400] ? "short" : "fixture-secret-\(number)")
      }
  }

  /// The lines of the test of a request.
  func script(of exchange: FixtureExchange) -> [String] {
    [PostmanItem.requireStatus(exchange.response.status)] + (scripts[Self.key(exchange)] ?? [])
  }

  /// The reference to a secret's variable.
  static func variable(_ number: Int) -> String { "{{\(name(number))}}" }

  /// The line of a script that sets a variable to a member of the response.
  static func set(_ variable: String, to path: [String]) -> String {
    let member = path.map { "[\"\($0)\"]" }.joined()
    return "pm.collectionVariables.set(\"\(variable)\", pm.response.json()\(member));"
  }

  /// Names are unique among the exchanges of an RPC.
  private static func key(_ exchange: FixtureExchange) -> String { "\(exchange.rpc): \(exchange.name)" }

  private static func name(_ number: Int) -> String { "secret_\(number)" }

  private static func placeholders(in request: HTTPRequest) -> [Int] {
    let texts =
      request.headers.map(\.value) + [request.url.text, String(decoding: request.body.inMemory, as: UTF8.self)]
    return texts.flatMap { text in
      SecretPlaceholder.pieces(text).compactMap { piece in
        if case .placeholder(let placeholder) = piece { placeholder.number } else { nil }
      }
    }
  }

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
