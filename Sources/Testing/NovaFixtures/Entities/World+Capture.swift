public import NovaAnnouncements
public import NovaCapture
import NovaCore
import NovaUsers

extension World {
  /// Returns a user's captures, oldest first.
  public func somethings(ofUserAt index: Int) -> [Something] {
    let count = entropy.draw(.somethingCount, for: index).lowBelow(8)
    return (0..<count).map { something($0, of: count, by: index) }
  }

  private func something(_ place: Int, of count: Int, by user: Int) -> Something {
    let words = words(of: user)
    let created = WorldTime.step(place, of: count, after: arrival(user), entropy.draw(.somethingTime, for: user, place))
    let types: [ContentType] = [.text, .text, .text, .image, .video, .url]
    let type = entropy.draw(.somethingType, for: user, place).pick(types)
    let hasMeaning = entropy.draw(.somethingMeaning, for: user, place << 1 | 1).chance(600)
    return Something(
      id: Int64(user * 8 + place + 1), userId: userID(at: user),
      content: type == .image || type == .video
        ? nil : entropy.draw(.somethingContent, for: user, place).pick(words.posts),
      contentType: type,
      mediaUrl: type == .text ? nil : "https://cdn.nova.social/captured/\(user + 1)-\(place + 1)",
      meaning: hasMeaning ? entropy.draw(.somethingMeaning, for: user, place << 1).pick(words.titles) : nil,
      isMeaningUserEdited: hasMeaning && entropy.draw(.somethingEdited, for: user, place).chance(200),
      noveltyScore: hasMeaning ? Double(entropy.draw(.somethingNovelty, for: user, place).below(1000)) / 1000 : nil,
      createdAt: Timestamp(
        seconds: created, nanoseconds: Int32(entropy.draw(.somethingFraction, for: user, place).below(1000)) * 1_000_000
      ),
      updatedAt: Timestamp(seconds: created + 60))
  }

  /// The number of announcements: one for every ten users.
  public var announcementCount: Int { (size.users + 9) / 10 }

  /// Returns an announcement of a pet.
  public func announcement(at index: Int) -> Announcement {
    func draw(_ field: Field) -> Draw { entropy.draw(field, for: index) }
    func maybe(_ field: Field, _ value: () -> String) -> String? {
      entropy.draw(field, for: index, 1).chance(500) ? value() : nil
    }
    let owner = draw(.petOwner).below(size.users)
    let day = Int64(draw(.petDay).below(365 * 4))
    let seen = WorldTime.lastArrival - 86_400 * (365 * 3) + 86_400 * day
    let created = seen + Int64(draw(.petTime).below(86_400))
    return Announcement(
      id: "pet-\(index + 1)",
      petName: draw(.petName).pick(["Luna", "Rex", "Kiwi", "Mochi", "小白", "قمر", "Ñoño", "Ömer"]),
      species: draw(.petSpecies).pick(["DOG", "CAT", "BIRD", "OTHER"]),
      status: draw(.petStatus).pick(["MISSING", "MISSING", "FOUND"]),
      photoUrl: "https://cdn.nova.social/pets/\(index + 1).jpg", lastSeenDate: Self.date(seen),
      locationLatitude: Double(draw(.petLatitude).below(120_000) - 60_000) / 1000,
      locationLongitude: Double(draw(.petLongitude).below(360_000) - 180_000) / 1000,
      breed: maybe(.petBreed) { draw(.petBreed).pick(["Mixed", "European Shorthair", "Labrador", "Budgerigar"]) },
      sex: maybe(.petSex) { draw(.petSex).pick(["FEMALE", "MALE"]) },
      age: entropy.draw(.petAge, for: index, 1).chance(600) ? draw(.petAge).lowBelow(20) : nil,
      microchipNumber: maybe(.petChip) { "6160939\(100_000_00 + draw(.petChip).below(900_000_00))" },
      email: maybe(.petEmail) { person(at: owner).email ?? "" },
      phone: "+44 20 7946 0\(100 + draw(.petPhone).below(900))",
      reward: maybe(.petReward) { "\((1 + draw(.petReward).below(20)) * 50) EUR" },
      description: draw(.petDescription).pick(words(of: owner).bios), createdAt: Self.time(created),
      updatedAt: Self.time(created + 3600))
  }

  private static func time(_ seconds: Int64) -> String { Timestamp(seconds: seconds).description }

  private static func date(_ seconds: Int64) -> String { String(time(seconds).prefix(10)) }
}

extension Field {
  static let somethingCount = Field("something.count")
  static let somethingTime = Field("something.created_at")
  static let somethingFraction = Field("something.created_at.fraction")
  static let somethingType = Field("something.content_type")
  static let somethingContent = Field("something.content")
  static let somethingMeaning = Field("something.meaning")
  static let somethingEdited = Field("something.is_meaning_user_edited")
  static let somethingNovelty = Field("something.novelty_score")
  static let petOwner = Field("announcement.owner")
  static let petDay = Field("announcement.last_seen_date")
  static let petTime = Field("announcement.created_at")
  static let petName = Field("announcement.pet_name")
  static let petSpecies = Field("announcement.species")
  static let petStatus = Field("announcement.status")
  static let petLatitude = Field("announcement.location_latitude")
  static let petLongitude = Field("announcement.location_longitude")
  static let petBreed = Field("announcement.breed")
  static let petSex = Field("announcement.sex")
  static let petAge = Field("announcement.age")
  static let petChip = Field("announcement.microchip_number")
  static let petEmail = Field("announcement.email")
  static let petPhone = Field("announcement.phone")
  static let petReward = Field("announcement.reward")
  static let petDescription = Field("announcement.description")
}
