extension Animal {
  /// Reads an announcement strictly. Species and status are read in any case; the dates of the announcement itself do
  /// not matter here.
  ///
  /// - Throws: ``AnnouncementError`` with the first field that is wrong.
  public init(_ announcement: Announcement) throws(AnnouncementError) {
    let fields = AnnouncementFields(announcement)
    self.init(
      id: try fields.text(\.id, "id"), name: try fields.text(\.petName, "pet_name"), species: try fields.species(),
      status: try fields.status(), photoUrl: try fields.text(\.photoUrl, "photo_url"),
      lastSeenDate: try fields.lastSeenDate(), coordinate: try fields.coordinate(), breed: announcement.breed,
      description: try fields.text(\.description, "description"), contactPhone: try fields.text(\.phone, "phone"))
  }
}

extension PetDetails {
  /// Reads an announcement strictly, as ``Animal`` does, and its two times. Both may be in ISO 8601 or as
  /// `yyyy-MM-dd HH:mm:ss` in UTC.
  ///
  /// - Throws: ``AnnouncementError`` with the first field that is wrong.
  public init(_ announcement: Announcement) throws(AnnouncementError) {
    let animal = try Animal(announcement)
    let fields = AnnouncementFields(announcement)
    self.init(
      animal, microchipNumber: announcement.microchipNumber, contactEmail: announcement.email,
      reward: announcement.reward.flatMap(Reward.amount), createdAt: try fields.time(\.createdAt, "created_at"),
      updatedAt: try fields.time(\.updatedAt, "updated_at"))
  }
}
