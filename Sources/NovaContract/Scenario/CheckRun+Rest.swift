import NovaAnnouncements
import NovaCapture
import NovaCore

// The services that speak REST in lowerCamelCase.
extension CheckRun {
  /// An id that nothing has, and that numbers in JavaScript can hold.
  private static let unknownNumber: Int64 = 9_007_199_254_740_991

  mutating func checkCapture() async throws {
    var id: Int64?
    if capturesSomething {
      let something = try await valid(
        CaptureRPC.createSomething,
        CreateSomethingRequest(content: "A check of the contract.", contentType: "text"), "a text")
      if let something, something.id != 0 {
        id = something.id
        await created(
          "something \(something.id)", deletion: CaptureRPC.deleteSomething, DeleteSomethingRequest(id: something.id))
      } else {
        let rpcs = [CaptureRPC.updateMeaning.descriptor, CaptureRPC.deleteSomething.descriptor]
        skip(rpcs, "nothing could be captured")
      }
      if !check.options.isForFixtures { try await captureImage() }
    }
    let list = try await valid(CaptureRPC.listSomethings, ListSomethingsRequest(limit: 3), "limit 3")
    // Identifies the token's user if no other response did.
    if check.tokens != nil { facts.learn(users: list?.somethings.map(\.userId) ?? []) }
    if let found = id ?? list?.somethings.first?.id {
      try await valid(CaptureRPC.getSomething, GetSomethingRequest(id: found), "a thing")
    } else {
      skip(CaptureRPC.getSomething, "nothing is captured")
    }
    try await refused(
      CaptureRPC.getSomething, GetSomethingRequest(id: Self.unknownNumber), "an unknown thing", .notFound)
    guard let id else { return }
    try await valid(CaptureRPC.updateMeaning, UpdateMeaningRequest(id: id, meaning: "A check."), "a meaning")
    let answer = try await valid(
      CaptureRPC.deleteSomething, DeleteSomethingRequest(id: id), "the thing", invalidFirst: true)
    if answer != nil { deleted("something \(id)") }
  }

  /// Whether the check may create captures: they can be deleted, so a token is enough.
  private var capturesSomething: Bool { !isReadOnly && (facts.account != nil || check.tokens != nil) }

  /// Captures an image, because services that ignore `content_type` store text.
  private mutating func captureImage() async throws {
    let request = CreateSomethingRequest(contentType: "image", mediaUrl: "https://example.com/nova-contract.png")
    guard let image = try await valid(CaptureRPC.createSomething, request, "an image"), image.id != 0 else { return }
    await created(
      "something \(image.id)", deletion: CaptureRPC.deleteSomething, DeleteSomethingRequest(id: image.id))
  }

  mutating func checkAnnouncements() async throws {
    let list = try await valid(AnnouncementsRPC.listAnnouncements, ListAnnouncementsRequest(), "all")
    try await valid(
      AnnouncementsRPC.listAnnouncements, ListAnnouncementsRequest(lat: 52.23, lng: 21.01), "near a place")
    if let announcement = list?.data.first, !announcement.id.isEmpty {
      try await valid(AnnouncementsRPC.getAnnouncement, GetAnnouncementRequest(id: announcement.id), "one of them")
    } else {
      skip(AnnouncementsRPC.getAnnouncement, "there are none")
    }
    try await refused(
      AnnouncementsRPC.getAnnouncement, GetAnnouncementRequest(id: Facts.unknownID), "an unknown one", .notFound)
  }
}
