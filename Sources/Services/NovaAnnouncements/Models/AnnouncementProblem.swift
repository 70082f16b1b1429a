import NovaCore

/// Why an announcement cannot become an ``Animal`` or ``PetDetails``: the field, its value, and the expected value.
public struct AnnouncementProblem: Sendable, Hashable {
  /// The kinds of problems.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// A required field is missing or empty.
    case missingField
    /// The species is not one of ``Species``.
    case unknownSpecies
    /// The status is not one of ``AnimalStatus``.
    case unknownStatus
    /// A date is malformed, or does not exist.
    case invalidDate
    /// The latitude or longitude does not exist.
    case coordinateOutOfRange
    /// The picture is neither an absolute `http` or `https` URL nor a path on the gateway.
    case invalidURL
    /// An earlier announcement in the list has the same ID.
    case repeatedID
  }

  /// The kind of the problem.
  public let kind: Kind
  /// The field, by its name in `Proto/`: `last_seen_date`.
  public let field: String
  /// The server's value; empty if absent. It can contain anything and have any length. In an invalid URL, user name,
  /// password, and query are masked, because they may be secret.
  public let value: String
  /// The expected value: `a date as yyyy-MM-dd`.
  public let expected: String

  /// Creates a problem.
  public init(_ kind: Kind, field: String, value: String = "", expected: String) {
    self.kind = kind
    self.field = field
    self.value = value
    self.expected = expected
  }
}

extension AnnouncementProblem: CustomStringConvertible {
  /// `species is "DINOSAUR"; expected dog, cat, bird or other`. Long values are truncated, and control characters are
  /// escaped.
  public var description: String {
    let found = value.isEmpty ? "is missing" : "is \"\(value.printable(to: 60))\""
    return "\(field) \(found); expected \(expected)"
  }
}
