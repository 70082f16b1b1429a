import NovaAnnouncements
import NovaCapture
import NovaContent
import NovaCore
import NovaMedia
import NovaUsers

extension EdgeCase {
  static let unknownValues = EdgeCase(
    name: "unknown-enum-values",
    summary: "Values that the contract does not list, as a newer backend might send.",
    answers: { cast in
      [
        .post(
          EdgeCaseSubjects.with(cast.post) {
            $0.privacy = "close_friends"
            $0.status = "scheduled"
          }),
        EdgeCaseAnswer(
          UserRPC.checkUserRelationship,
          CheckUserRelationshipRequest(followerId: cast.user.id, followeeId: "user-2"),
          response: CheckUserRelationshipResponse(relationshipType: "follow_request", status: "expired")),
        EdgeCaseAnswer(
          MediaRPC.getUpload, GetUploadRequest(uploadId: cast.uploadID),
          response: GetUploadResponse(
            upload: Upload(
              id: cast.uploadID, userId: cast.user.id, fileName: "a.jpg", fileSize: 1, status: "scanning",
              createdAt: cast.user.createdAt, contentType: "image/jpeg"), found: true)),
        .something(EdgeCaseSubjects.with(cast.something) { $0.contentType = "audio" }),
        EdgeCaseAnswer(
          AnnouncementsRPC.listAnnouncements, ListAnnouncementsRequest(lat: 0.5, lng: 0.5),
          response: ListAnnouncementsResponse(data: [
            pet,
            EdgeCaseSubjects.with(pet) {
              $0.id = "edge-pet-2"
              $0.species = "FERRET"
            },
            EdgeCaseSubjects.with(pet) {
              $0.id = "edge-pet-3"
              $0.status = "REUNITED"
            },
          ])),
      ]
    })

  static let missingOptionals = EdgeCase(
    name: "missing-optionals",
    summary: "Responses without optional fields and without defaults.",
    answers: { cast in
      [
        .profile(
          UserProfile(id: cast.user.id, username: "a_b", createdAt: cast.user.createdAt), form: .sparse),
        .post(
          Post(
            id: cast.post.id, creatorId: cast.user.id, content: "Text", createdAt: cast.post.createdAt),
          form: .sparse),
        .something(
          EdgeCaseSubjects.with(cast.something) {
            $0.content = nil
            $0.contentType = "image"
          }, form: .sparse),
        EdgeCaseAnswer(
          AnnouncementsRPC.getAnnouncement, GetAnnouncementRequest(id: pet.id), response: pet, form: .sparse),
      ]
    })

  /// An announcement without optional fields.
  private static let pet = Announcement(
    id: "edge-pet-1", petName: "Luna", species: "DOG", status: "MISSING",
    photoUrl: "https://cdn.nova.social/pets/1.jpg",
    lastSeenDate: "2024-05-01", locationLatitude: 52.23, locationLongitude: 21.01, phone: "+44 20 7946 0100",
    description: "Shy.", createdAt: "2024-05-01T10:00:00Z", updatedAt: "2024-05-01T10:00:00Z")
}
