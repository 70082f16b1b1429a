/// Whether two texts name the same record. Servers may write an id in another way, and a request may name a record by
/// something else: by `me`, or by a user name that the record also has. IDs are compared by their bytes: two that differ only
/// in how Unicode writes their characters are two.
package enum RecordIdentity {
  /// Whether two ids are one, written in two ways: UUIDs with or without hyphens, a change of case as a whole (ids in base 62
  /// differ in the case of single letters), or a resource name and its last parts.
  package static func areAlike(_ first: String, _ second: String) -> Bool {
    if isOneSpelling(first, second) { return true }
    let parts = [first, second].map { $0.split(maxSplits: 20) { $0 == "/" || $0 == ":" }.map(String.init) }
    let count = min(parts[0].count, parts[1].count)
    // Names of two kinds, `posts/7` and `users/7`, end alike.
    guard count > 0, parts[0].count != parts[1].count else { return false }
    return zip(parts[0].suffix(count), parts[1].suffix(count)).allSatisfy { isOneSpelling($0, $1) }
  }

  private static func isOneSpelling(_ first: String, _ second: String) -> Bool {
    if first.hasSameBytes(as: second) { return true }
    if let uuid = uuid(first) { return uuid == self.uuid(second) }
    // Of two spellings that differ in case, one is all in one case. Unicode has some letters twice, in other lengths.
    guard first.utf8.count == second.utf8.count, first.lowercased().hasSameBytes(as: second.lowercased()) else {
      return false
    }
    return [first, second].contains {
      $0.hasSameBytes(as: $0.lowercased()) || $0.hasSameBytes(as: $0.uppercased())
    }
  }

  /// The digits of a UUID; nil for another id.
  private static func uuid(_ id: String) -> String? {
    guard (32...38).contains(id.utf8.count) else { return nil }
    let digits = id.lowercased().filter { !"-{}".contains($0) }
    return digits.utf8.count == 32 && digits.allSatisfy(\.isHexDigit) ? digits : nil
  }

  /// Whether a text means the caller, or is marked as a name: no response repeats it as an id.
  package static func isPlaceholder(_ name: String) -> Bool {
    ["me", "self", "current", "~", "-"].contains(name.lowercased()) || name.hasPrefix("@")
  }

  /// Whether a name that is not an id means the record. Only fields that are names of records count: other texts may well be
  /// equal to an id. Names are compared as characters: servers store user names in one Unicode form.
  static func isAlias(_ name: String, of record: any ProtoMessage) -> Bool {
    let bare = name.hasPrefix("@") ? String(name.dropFirst()) : name
    if isPlaceholder(bare) { return true }
    let values = FieldValues(record)
    for (field, value) in zip(values.fields, values.all) {
      guard case .single(.string(let text)) = value, text.lowercased() == bare.lowercased() else { continue }
      if aliases.contains(field.name) || field.name == "email" && bare.contains("@") { return true }
    }
    return false
  }

  /// The names of fields by which a record can be asked for as well as by its id.
  private static let aliases: Set = [
    "username", "user_name", "screen_name", "handle", "slug", "alias", "external_id", "public_id", "legacy_id",
    "short_id",
  ]
}
