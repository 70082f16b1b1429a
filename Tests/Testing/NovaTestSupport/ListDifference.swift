/// What a list in a test lacks, and what it has too much, for messages that name these entries rather than both lists.
///
/// ```swift
/// let difference = ListDifference(of: PermissionTable.rows.map(\.rpc), from: RPCRegistry.nova.rpcs.map(\.id))
/// #expect(difference.isEmpty, "\(difference): change PermissionTable.swift")
/// ```
public struct ListDifference: Sendable, CustomStringConvertible {
  /// The entries that the list lacks, in order.
  public let missing: [String]
  /// The entries that only the list has, in order.
  public let extra: [String]

  /// Compares two lists, without regard to their order and to repetitions.
  ///
  /// - Parameters:
  ///   - list: the list in the test.
  ///   - expected: what it should have.
  public init(of list: some Sequence<String>, from expected: some Sequence<String>) {
    let (list, expected) = (Set(list), Set(expected))
    missing = expected.subtracting(list).sorted()
    extra = list.subtracting(expected).sorted()
  }

  public var isEmpty: Bool { missing.isEmpty && extra.isEmpty }

  public var description: String {
    let parts = [("missing", missing), ("too many", extra)].filter { !$0.1.isEmpty }
    return parts.map { "\($0.0): \($0.1.joined(separator: ", "))" }.joined(separator: "; ")
  }
}
