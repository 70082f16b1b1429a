import NovaAnnouncements
import NovaCapture
import NovaCore

// The services with REST paths and lowerCamelCase names.

/// An id that does not exist and that a number in JavaScript can hold.
private let unknownNumber: Int64 = 9_007_199_254_740_991

extension SurveyRun {
  mutating func checkCapture() async throws {
    var id: Int64?
    if capturesSomething {
      id = try await capture(.init(content: "A check of the contract.", contentType: "text"), as: "a text")
      if id == nil {
        skip(CaptureRPC.updateMeaning, CaptureRPC.deleteSomething, because: "nothing could be captured")
      }
      // Services that ignore `content_type` store text.
      if !isForFixtures { try await capture(Self.image, as: "an image") }
    }
    let list = try await valid(CaptureRPC.listSomethings, .init(limit: 3), as: "limit 3", showing: "the capture") {
      id == nil || !$0.somethings.isEmpty
    }
    // Identifies the token's user if no other response did.
    if hasTokens { discovered.add(users: list?.somethings.map(\.userId) ?? []) }
    if let found = id ?? list?.somethings.first?.id {
      try await valid(CaptureRPC.getSomething, .init(id: found), as: "a thing")
    } else {
      skip(CaptureRPC.getSomething, because: "nothing was captured")
    }
    try await absent(CaptureRPC.getSomething, .init(id: unknownNumber), as: "an unknown thing")
    guard let id else { return }
    try await valid(CaptureRPC.updateMeaning, .init(id: id, meaning: "A check."), as: "a meaning")
    try await valid(CaptureRPC.deleteSomething, .init(id: id), as: "the thing")
  }

  /// Whether the check may create captures: they can be deleted, so a token is enough.
  private var capturesSomething: Bool { !isReadOnly && (discovered.account != nil || hasTokens) }

  private static let image = CreateSomethingRequest(
    contentType: "image", mediaUrl: "https://example.com/nova-contract.png")

  /// Captures something that the check deletes, and returns its id.
  @discardableResult
  private mutating func capture(_ request: CreateSomethingRequest, as name: String) async throws -> Int64? {
    let something = try await valid(CaptureRPC.createSomething, request, as: name)
    guard let id = something?.id, id != 0 else { return nil }
    await created("something \(id)", deletion: CaptureRPC.deleteSomething, .init(id: id))
    return id
  }

  mutating func checkAnnouncements() async throws {
    let list = try await valid(AnnouncementsRPC.listAnnouncements, .init(), as: "all")
    try await valid(AnnouncementsRPC.listAnnouncements, .init(lat: 52.23, lng: 21.01), as: "near a place")
    if let announcement = list?.data.first, !announcement.id.isEmpty {
      try await valid(AnnouncementsRPC.getAnnouncement, .init(id: announcement.id), as: "one of them")
    } else {
      skip(AnnouncementsRPC.getAnnouncement, because: "there are no announcements")
    }
    try await absent(AnnouncementsRPC.getAnnouncement, .init(id: unknownID), as: "an unknown one")
  }
}
