import NovaAnnouncements

extension Announcement {
  /// The announcements of the guide's data set. One has the other form of date that backends are known to send.
  static let samples = [
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
}
