import NovaCore

/// What a request should be answered with.
enum Expectation: Sendable {
  /// Success, and what was asked for is there.
  case success
  /// Success that says that there is no such thing.
  case nothing
  /// A failure.
  case failure(Refusal)
}

/// A failure that a request should meet.
struct Refusal: Sendable {
  /// Why, for people: `limit is negative`.
  let codes: Set<APIError.Code>
  /// The statuses that are right.
  let statuses: Set<Int>
  /// What it means when the server does not refuse.
  var accepted: ContractDifference.Grade = .tolerated

  /// The contract's INVALID_ARGUMENT.
  static let invalidArgument = Refusal(codes: [.invalidArgument], statuses: [400])
  static let notFound = Refusal(codes: [.notFound], statuses: [404], accepted: .breaking)
  static let unauthorized = Refusal(codes: [.unauthorized], statuses: [401], accepted: .breaking)
  static let permissionDenied = Refusal(codes: [.permissionDenied], statuses: [403], accepted: .breaking)
  /// Whatever a gateway says to a verb that it has no route for.
  static let wrongVerb = Refusal(
    codes: [.unimplemented, .notFound, .invalidArgument], statuses: [404, 405, 501])
  static let unknownPath = Refusal(codes: [.notFound, .unimplemented], statuses: [404, 501], accepted: .breaking)

  /// For people: `400`, `404, 405 or 501`.
  var description: String {
    let all = statuses.sorted().map(String.init)
    return all.count < 2 ? all.joined() : all.dropLast().joined(separator: ", ") + " or \(all[all.count - 1])"
  }
}
