import NovaCore

/// The animals of a list, and the announcements that were left out.
public struct AnimalList: Sendable, Hashable {
  /// The animals with unique IDs, in the server's order.
  public var animals: [Animal]
  /// The announcements that were left out and why, in the server's order.
  public var skipped: [SkippedAnnouncement]

  /// Creates a list.
  public init(animals: [Animal] = [], skipped: [SkippedAnnouncement] = []) {
    self.animals = animals
    self.skipped = skipped
  }
}

extension AnimalList {
  /// Creates animals from announcements. Invalid announcements are left out and reported, as are those with the ID of an
  /// earlier animal.
  public init(_ announcements: [Announcement]) {
    self.init()
    animals.reserveCapacity(announcements.count)
    var ids: Set<String> = []
    for announcement in announcements {
      do throws(AnnouncementError) {
        let animal = try Animal(announcement)
        guard ids.add(animal.id.byteKey) else { throw AnnouncementError.repeatedID(animal.id) }
        animals.append(animal)
      } catch {
        skipped.append(SkippedAnnouncement(id: error.id, reason: error.problem))
      }
    }
  }
}
