import NovaCore

/// How a request should be answered.
enum Expectation: Sendable {
  /// Success, with what was asked for.
  case success
  /// Success, with the statement that it does not exist.
  case absent
  /// A failure.
  case failure(Refusal)

  /// The contract's INVALID_ARGUMENT.
  static let invalidArgument = Expectation.failure(.invalidArgument)

  /// Whether the contract has a route for the request.
  var isForRoute: Bool { if case .failure(let refusal) = self { !refusal.isOfRouting } else { true } }
}

/// A failure that a request should be answered with.
struct Refusal: Sendable {
  /// The codes as which the SDK may read it.
  let codes: Set<APIError.Code>
  /// The HTTP statuses that the contract allows.
  let statuses: Set<Int>
  /// The grade of the difference if the server accepts the request.
  var accepted = ContractDifference.Grade.breaking
  /// Whether the contract has no route for the request, so that the SDK never sends it: any refusal is correct.
  var isOfRouting = false

  /// The SDK checks arguments itself, so a lenient server does no harm.
  static let invalidArgument = Refusal(.invalidArgument, accepted: .tolerated)
  static let failedPrecondition = Refusal(.failedPrecondition)
  static let unauthorized = Refusal(.unauthorized)
  static let permissionDenied = Refusal(.permissionDenied)
  static let notFound = Refusal(.notFound)
  static let conflict = Refusal(.conflict)
  /// An HTTP method that has no route.
  static let wrongMethod = Refusal(
    codes: [.unimplemented, .notFound, .invalidArgument], statuses: [404, 405, 501], accepted: .tolerated,
    isOfRouting: true)
  static let unknownPath = Refusal(codes: [.notFound, .unimplemented], statuses: [404, 501], isOfRouting: true)

  /// For reports: `400`, `404, 405 or 501`.
  var description: String {
    let all = statuses.sorted().map(String.init)
    return all.count < 2 ? all.joined() : all.dropLast().joined(separator: ", ") + " or \(all[all.count - 1])"
  }
}

extension Refusal {
  /// A failure with the HTTP status that the contract assigns to its code.
  init(_ code: APIError.Code, status: Int? = nil, accepted: ContractDifference.Grade = .breaking) {
    self.init(codes: [code], statuses: (status ?? Self.statuses[code]).map { [$0] } ?? [], accepted: accepted)
  }

  private static let statuses: [APIError.Code: Int] = [
    .invalidArgument: 400, .failedPrecondition: 400, .unauthorized: 401, .permissionDenied: 403, .notFound: 404,
    .conflict: 409,
  ]
}
