public import NovaCore

extension ProtoMessage {
  /// Where `other` differs from this message; empty when they are equal.
  ///
  /// ```swift
  /// #expect(page.differences(from: GetFollowersResponse(userIds: ["a"], totalCount: 1)) == [])
  /// ```
  ///
  /// - Parameter expected: what this message should be.
  /// - Throws: ``ProtoJSONError`` for a value that the contract's type cannot hold.
  public func differences(from expected: Self) throws(ProtoJSONError) -> [ValueDifference] {
    try differences(fromJSON: try expected.jsonUTF8())
  }

  /// Where this message differs from JSON as a gateway sends it; empty when they mean the same.
  ///
  /// The JSON is read as the contract says: an absent field is its default, `"5"` is 5, names come in either style. What
  /// the contract does not know counts as a difference.
  ///
  /// - Parameter expected: the JSON in UTF-8 of what this message should be.
  /// - Throws: ``ProtoJSONError`` when the JSON does not fit the message's type.
  public func differences(fromJSON expected: [UInt8]) throws(ProtoJSONError) -> [ValueDifference] {
    let other = try Self(jsonUTF8: expected)
    var comparison = ValueComparison(secretNames: SecretText.names(in: Self.descriptor))
    let raw = try JSONValue(jsonUTF8: expected)
    let canonical = ContractMessages.nova.canonical(other, raw: raw) ?? raw
    comparison.compare(canonical, try JSONValue(jsonUTF8: try jsonUTF8()))
    return comparison.differences
  }
}
