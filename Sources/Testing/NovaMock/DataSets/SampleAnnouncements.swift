import NovaAnnouncements

extension Announcement {
  /// The announcements of the guide's data set: valid ones, and one for each reason why clients skip an announcement.
  static let samples = goodSamples + badSamples

  /// One uses the legacy date format that some backends send.
  private static let goodSamples = [
    Announcement(
      id: "pet-1", petName: "Luna", species: "CAT", status: "MISSING", photoUrl: "https://cdn.nova.social/pets/1.jpg",
      lastSeenDate: "2025-11-20", locationLatitude: 52.2297, locationLongitude: 21.0122, breed: "European Shorthair",
      sex: "FEMALE", age: 3, microchipNumber: "616093900000001", email: "ada@example.com", phone: "+48 600 100 200",
      reward: "500 PLN", description: "Grey, white paws, shy.", createdAt: "2025-11-20T18:30:00Z",
      updatedAt: "2025-11-21 07:15:00"),
    Announcement(
      id: "pet-2", petName: "Rex", species: "DOG", status: "FOUND", photoUrl: "https://cdn.nova.social/pets/2.jpg",
      lastSeenDate: "2025-11-18", locationLatitude: 50.0647, locationLongitude: 19.945, phone: "+48 600 100 201",
      description: "Found by the river, friendly, blue collar.", createdAt: "2025-11-18T09:00:00.250Z",
      updatedAt: "2025-11-18T09:00:00.250Z"),
    Announcement(
      id: "pet-3", petName: "Kiwi", species: "BIRD", status: "MISSING",
      photoUrl: "https://cdn.nova.social/pets/3.jpg", lastSeenDate: "2025-11-15", locationLatitude: 51.1079,
      locationLongitude: 17.0385, email: "goran@example.com", phone: "+48 600 100 202", reward: "1 250.50 zł",
      description: "Green budgerigar, answers to whistling.", createdAt: "2025-11-15T16:45:00+01:00",
      updatedAt: "2025-11-16T08:00:00+01:00"),
  ]

  /// Invalid announcements, each named after its single defect.
  private static let badSamples = [
    bad("pet-bad-species") { $0.species = "DINOSAUR" },
    bad("pet-bad-status") { $0.status = "ADOPTED" },
    bad("pet-bad-date") { $0.lastSeenDate = "15-11-2025" },
    bad("pet-bad-place") { $0.locationLatitude = 152.2297 },
    bad("pet-bad-photo") { $0.photoUrl = "pets/bad.jpg" },
    bad("pet-without-name") { $0.petName = "" },
    bad("pet-1") { $0.petName = "Luna, repeated" },
  ]

  private static func bad(_ id: String, _ spoil: (inout Announcement) -> Void) -> Announcement {
    var announcement = Announcement(
      id: id, petName: "Max", species: "DOG", status: "MISSING", photoUrl: "https://cdn.nova.social/pets/bad.jpg",
      lastSeenDate: "2025-11-15", locationLatitude: 52.2297, locationLongitude: 21.0122, phone: "+48 600 100 203",
      description: "An announcement that is not what it should be.", createdAt: "2025-11-15T10:30:00Z",
      updatedAt: "2025-11-15 10:30:00")
    spoil(&announcement)
    return announcement
  }
}
