/// The animals of a list, and what of the list was left out.
public struct AnimalList: Sendable, Hashable {
  /// The animals, in the server's order, no id twice.
  public var animals: [Animal]
  /// The announcements that were left out, in the server's order, each with its reason.
  public var skipped: [SkippedAnnouncement]

  /// Creates a list.
  public init(animals: [Animal] = [], skipped: [SkippedAnnouncement] = []) {
    self.animals = animals
    self.skipped = skipped
  }
}

extension AnimalList {
  /// Makes animals of announcements. What cannot be one is left out and reported, and so is an announcement whose id an
  /// earlier animal has.
  public init(_ announcements: [Announcement]) {
    self.init()
    animals.reserveCapacity(announcements.count)
    var ids: Set<String> = []
    for announcement in announcements {
      do throws(AnnouncementError) {
        let animal = try Animal(announcement)
        guard ids.insert(animal.id).inserted else { throw AnnouncementError.repeatedID(animal.id) }
        animals.append(animal)
      } catch {
        skipped.append(SkippedAnnouncement(id: error.id, reason: error.problem))
      }
    }
  }
}
