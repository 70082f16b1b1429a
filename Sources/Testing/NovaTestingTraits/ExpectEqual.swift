public import NovaCore
import NovaTesting
public import Testing

/// Records an issue that lists where two messages differ, field by field, if they do. Secrets are masked.
///
/// ```swift
/// expectEqual(page, GetFollowersResponse(userIds: ["a"], totalCount: 1))
/// // total_count: expected 1, got 2
/// ```
///
/// - Parameters:
///   - actual: what came.
///   - expected: what should have come.
public func expectEqual<Message: ProtoMessage>(
  _ actual: Message, _ expected: Message, sourceLocation: SourceLocation = #_sourceLocation
) {
  record(at: sourceLocation) { try actual.differences(from: expected) }
}

/// Records an issue that lists where a message differs from JSON as a gateway sends it, if it does.
///
/// The JSON is read as the contract says: an absent field is its default, `"5"` is 5, names come in either style.
///
/// - Parameters:
///   - actual: what came.
///   - json: what should have come.
public func expectEqual<Message: ProtoMessage>(
  _ actual: Message, json: String, sourceLocation: SourceLocation = #_sourceLocation
) {
  record(at: sourceLocation) { try actual.differences(fromJSON: Array(json.utf8)) }
}

private func record(at sourceLocation: SourceLocation, _ differences: () throws -> [ValueDifference]) {
  do {
    let differences = try differences()
    if differences.isEmpty { return }
    Issue.record("\(differences.map(\.description).joined(separator: "\n"))", sourceLocation: sourceLocation)
  } catch {
    Issue.record("\(error)", sourceLocation: sourceLocation)
  }
}
