import NovaCore

extension SurveyRun {
  /// How long to wait for what was written, one time after the other: gateways may show it a moment later.
  private static let waits: [Duration] = [.milliseconds(500), .seconds(1), .seconds(2)]

  /// Sends a request whose answer must show what the check has written, and validates the answer.
  ///
  /// - Parameters:
  ///   - thing: what it must show.
  ///   - shows: whether an answer does.
  @discardableResult
  mutating func valid<Request, Response>(
    _ rpc: RPC<Request, Response>, _ message: Request, as name: String, showing thing: String,
    where shows: (Response) -> Bool
  ) async throws -> Response? {
    let first = try await valid(rpc, message, as: name)
    guard let first, !shows(first), isChosen(rpc.descriptor) else { return first }
    var found = first
    for wait in Self.waits {
      try await calls.pause(for: wait)
      guard let again = try await prepare(rpc, message, as: name) else { return first }
      if shows(again) { return again }
      found = again
    }
    reportLast(
      Finding(
        .inconsistent, .breaking, at: "", expected: "\(thing), which the check has written", found: "nothing of it"),
      of: rpc.descriptor, as: name)
    return found
  }

  /// Asks for several records by their ids, and validates that those that exist come, in the order of the ids.
  ///
  /// - Parameter exists: whether a record exists that did not come.
  mutating func validBatch<Request, Response>(
    _ rpc: RPC<Request, Response>, _ message: Request, ids: [String], as name: String,
    returned: (Response) -> [String], exists: (inout SurveyRun, String) async throws -> Bool
  ) async throws {
    guard let answer = try await valid(rpc, message, as: name), isChosen(rpc.descriptor) else { return }
    let found = returned(answer)
    func report(at path: String, expected: String, found: String, to survey: inout SurveyRun) {
      survey.reportLast(
        Finding(.inconsistent, .breaking, at: path, expected: expected, found: found), of: rpc.descriptor, as: name)
    }
    if found != ids.filter(found.contains), Set(found).isSubset(of: ids) {
      report(
        at: "order", expected: "the records in the order of the ids", found: "another order, or one of them twice",
        to: &self)
    }
    for id in ids where id != unknownID && !found.contains(id) {
      guard try await keepingLast({ try await exists(&$0, id) }) else { continue }
      return report(at: "", expected: "every record that exists", found: "one of them is missing", to: &self)
    }
  }
}
