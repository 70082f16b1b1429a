import NovaCore

/// Why an announcement cannot be made an ``Animal`` or ``PetDetails``: which field, what stood there, what was expected.
public struct AnnouncementProblem: Sendable, Hashable {
  /// The kinds of problems.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// A required field is missing or empty.
    case missingField
    /// The species is none of ``Species``.
    case unknownSpecies
    /// The status is none of ``AnimalStatus``.
    case unknownStatus
    /// A date cannot be read, or does not exist.
    case invalidDate
    /// There is no such latitude or longitude.
    case coordinateOutOfRange
    /// An earlier announcement of the list has the same id.
    case repeatedID
  }

  /// What kind of problem it is.
  public let kind: Kind
  /// The field, by its name in `Proto/`: `last_seen_date`.
  public let field: String
  /// What stood there; empty for nothing. A server's text, which may be anything and of any length.
  public let value: String
  /// What would have been right: `a date as yyyy-MM-dd`.
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
  /// `species is "DINOSAUR"; expected dog, cat, bird or other`. Long values are cut, and nothing in them can steer a
  /// terminal.
  public var description: String {
    let found = value.isEmpty ? "is missing" : "is \"\(value.printable(to: 60))\""
    return "\(field) \(found); expected \(expected)"
  }
}
