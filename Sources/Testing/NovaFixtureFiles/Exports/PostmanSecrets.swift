import NovaCore

/// The secrets of a recording as variables of a Postman collection.
///
/// Tokens differ from run to run: the script of the response that has one sets its variable. The others were made up by
/// the check, and get a value of their own.
struct PostmanSecrets {
  /// The variables with their first values.
  let values: [(String, String)]
  private let secrets: RecordedSecrets

  /// - Parameter exchanges: with the recording's placeholders, in order.
  init(_ exchanges: [FixtureExchange]) {
    secrets = RecordedSecrets(exchanges)
    values =
      secrets.received.sorted().map { (Self.name($0), "") }
      + secrets.madeUp.sorted { $0.key < $1.key }.map { (Self.name($0.key), $0.value) }
  }

  /// The lines of the test of a request.
  func script(of exchange: FixtureExchange) -> [String] {
    [PostmanItem.requireStatus(exchange.response.status)]
      + secrets.places(in: exchange).map { Self.set(Self.name($0.number), to: $0.path) }
  }

  /// The reference to a secret's variable.
  static func variable(_ number: Int) -> String { "{{\(name(number))}}" }

  /// The line of a script that sets a variable to a member of the response.
  static func set(_ variable: String, to path: [String]) -> String {
    let member = path.map { "[\"\($0)\"]" }.joined()
    return "pm.collectionVariables.set(\"\(variable)\", pm.response.json()\(member));"
  }

  private static func name(_ number: Int) -> String { "secret_\(number)" }
}
