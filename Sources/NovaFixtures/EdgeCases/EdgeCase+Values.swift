import NovaAnnouncements
import NovaCapture
import NovaContent
import NovaCore
import NovaMedia
import NovaUsers

extension EdgeCase {
  static let values = [unknownValues, missingOptionals, legacyTimes]

  private static let unknownValues = EdgeCase(
    "unknown-enum-values", summary: "Values that the contract does not list, as a newer backend might send."
  ) { cast in
    var (ferret, reunited) = (pet, pet)
    (ferret.id, ferret.species) = ("edge-pet-2", "FERRET")
    (reunited.id, reunited.status) = ("edge-pet-3", "REUNITED")
    return [
      .post(cast.post) { ($0.privacy, $0.status) = ("close_friends", "scheduled") },
      EdgeCaseAnswer(
        UserRPC.checkUserRelationship, .init(followerId: cast.user.id, followeeId: "user-2"),
        response: .init(relationshipType: "follow_request", status: "expired")),
      .upload(
        Upload(
          id: cast.uploadID, userId: cast.user.id, fileName: "a.jpg", fileSize: 1, status: "scanning",
          createdAt: cast.user.createdAt, contentType: "image/jpeg")),
      .something(cast.something) { $0.contentType = "audio" },
      EdgeCaseAnswer(
        AnnouncementsRPC.listAnnouncements, .init(lat: 0.5, lng: 0.5), response: .init(data: [pet, ferret, reunited])),
    ]
  }

  private static let missingOptionals = EdgeCase(
    "missing-optionals", summary: "Responses without optional fields and without defaults."
  ) { cast in
    [
      .profile(UserProfile(id: cast.user.id, username: "a_b", createdAt: cast.user.createdAt), form: .sparse),
      .post(
        Post(id: cast.post.id, creatorId: cast.user.id, content: "Text", createdAt: cast.post.createdAt),
        form: .sparse),
      .something(cast.something, form: .sparse) { ($0.content, $0.contentType) = (nil, "image") },
      EdgeCaseAnswer(AnnouncementsRPC.getAnnouncement, .init(id: pet.id), response: pet, form: .sparse),
    ]
  }

  private static let legacyTimes = EdgeCase(
    "legacy-times",
    summary: "Times as yyyy-MM-dd HH:mm:ss in UTC, beside ISO 8601, and announcements of a list without times."
  ) { _ in
    var (mixed, legacy, timeless) = (pet, pet, pet)
    (mixed.id, mixed.createdAt, mixed.updatedAt) = ("edge-pet-4", "2024-11-20T10:30:00.000Z", "2024-12-01 14:24:13")
    (legacy.id, legacy.createdAt, legacy.updatedAt) = ("edge-pet-5", "2024-02-29 00:00:00", "2024-12-31 23:59:59")
    (timeless.id, timeless.createdAt, timeless.updatedAt) = ("edge-pet-6", "", "")
    return [
      EdgeCaseAnswer(AnnouncementsRPC.getAnnouncement, .init(id: mixed.id), response: mixed),
      EdgeCaseAnswer(AnnouncementsRPC.getAnnouncement, .init(id: legacy.id), response: legacy),
      EdgeCaseAnswer(
        AnnouncementsRPC.listAnnouncements, .init(lat: -0.5, lng: -0.5),
        response: .init(data: [mixed, legacy, timeless]), form: .sparse),
    ]
  }

  /// An announcement without optional fields.
  private static let pet = Announcement(
    id: "edge-pet-1", petName: "Luna", species: "DOG", status: "MISSING",
    photoUrl: "https://cdn.nova.social/pets/1.jpg",
    lastSeenDate: "2024-05-01", locationLatitude: 52.23, locationLongitude: 21.01, phone: "+44 20 7946 0100",
    description: "Shy.", createdAt: "2024-05-01T10:00:00Z", updatedAt: "2024-05-01T10:00:00Z")
}
