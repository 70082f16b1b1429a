public import NovaCore

/// An announcement that was left out of a list.
public struct SkippedAnnouncement: Sendable, Hashable {
  /// The announcement's ID; empty if it has none.
  public let id: String
  /// Why it was left out.
  public let reason: AnnouncementProblem

  /// Creates a report.
  public init(id: String, reason: AnnouncementProblem) {
    self.id = id
    self.reason = reason
  }
}

extension SkippedAnnouncement: CustomStringConvertible {
  /// `announcement pet-4: species is "DINOSAUR"; expected dog, cat, bird or other`
  public var description: String { "\(id.nameOfAnnouncement): \(reason)" }
}

/// A requested announcement violates the contract.
public struct AnnouncementError: NovaError, Hashable {
  /// The announcement's ID as received; empty if it has none.
  public let id: String
  /// The first problem that was found.
  public let problem: AnnouncementProblem

  /// Creates an error.
  public init(id: String, problem: AnnouncementProblem) {
    self.id = id
    self.problem = problem
  }
}

extension AnnouncementError: UserFacingError {
  package var userMessageKey: UserMessage.Key { .unableToLoadPet }

  /// A sentence for the user of an app, without the field; see ``UserMessage``.
  public var errorDescription: String? { UserMessage.text(userMessageKey) }
}

extension UserMessage.Key {
  package static let unableToLoadData = Self("pets.unableToLoadData", "Unable to load data. Please try again later.")
  package static let unableToLoadPet = Self("pets.unableToLoadPet", "Unable to load pet details")
}

extension AnnouncementError {
  /// `announcement pet-4 cannot be shown: species is "DINOSAUR"; expected dog, cat, bird or other`
  public var description: String { "\(id.nameOfAnnouncement) cannot be shown: \(problem)" }
}

extension String {
  /// The name of the announcement with this ID in messages.
  fileprivate var nameOfAnnouncement: String {
    isEmpty ? "an announcement without an id" : "announcement \(printable(to: 60))"
  }
}
