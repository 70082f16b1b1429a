import NovaAnnouncements
import NovaCore
import NovaTestSupport
import Testing

@Suite struct AnimalTests {
  @Test func allFieldsAreTaken() throws {
    let pet = try PetDetails(.good)
    #expect(pet.id == "550e8400" && pet.name == "Max" && pet.species == .dog && pet.status == .missing)
    #expect(pet.photoUrl == "/images/max.jpg" && pet.breed == "Golden Retriever")
    #expect(pet.lastSeenDate == CalendarDate("2024-11-15"))
    #expect(pet.coordinate == Coordinate(latitude: 52.2297, longitude: 21.0122))
    #expect(pet.microchipNumber == "123456789012345" && pet.contactEmail == "owner@example.com")
    #expect(pet.contactPhone == "+48123456789" && pet.reward == 500 && pet.rewardText == "500 PLN")
    #expect(pet.description == "Friendly golden retriever, responds to Max")
    #expect(pet.createdAt == Timestamp(seconds: 1_732_098_600) && pet.updatedAt == Timestamp(seconds: 1_733_063_053))
    #expect(try Animal(.good) == pet.animal)
  }

  @Test func whatIsOptionalMayBeAbsent() throws {
    let bare = Announcement.good.with(\.breed, nil).with(\.microchipNumber, nil).with(\.email, nil).with(\.reward, nil)
    let pet = try PetDetails(bare)
    #expect(pet.breed == nil && pet.microchipNumber == nil && pet.contactEmail == nil && pet.reward == nil)
  }

  @Test(arguments: ["", "negotiable", "500-800 PLN", "1.250,50", "\u{1B}[2J 5 zł"])
  func aRewardKeepsItsWords(_ text: String) throws {
    #expect(try PetDetails(.good.with(\.reward, text)).rewardText == (text.isEmpty ? nil : text))
  }

  @Test(arguments: [
    "/images/max.jpg", "/", "/a?size=2#top", "http://cdn.example/1", "HTTPS://CDN.Example:8443/1.jpg?sig=a%20b",
    "https://cdn.example", "/%C5%BC%C3%B3%C5%82w.jpg", "http://[::1]/1",
  ])
  func pathsAndURLsArePictures(_ text: String) throws {
    #expect(try Animal(.good.with(\.photoUrl, text)).photoUrl == text, "as the server sent it")
  }

  @Test(arguments: ["", "owner", "owner@", "a@b@c", "Owner <owner@example.com>", "właściciel@przykład.pl"])
  func anAddressIsAsTheServerSentIt(_ email: String) throws {
    #expect(try PetDetails(.good.with(\.email, email)).contactEmail == email)
  }

  @Test func speciesAndStatusAreReadInAnyCase() throws {
    for species in Species.allCases {
      for text in [species.rawValue, species.rawValue.uppercased(), species.rawValue.capitalizedForTest] {
        #expect(try Animal(.good.with(\.species, text)).species == species)
      }
    }
    for status in AnimalStatus.allCases {
      for text in [status.rawValue, status.rawValue.uppercased(), status.rawValue.capitalizedForTest] {
        #expect(try Animal(.good.with(\.status, text)).status == status)
      }
    }
  }

  @Test(
    arguments: [
      ("2024-12-01T14:24:13Z", 0), ("2024-12-01T15:24:13.250+01:00", 250_000_000), ("2024-12-01 14:24:13", 0),
    ] as [(String, Int32)])
  func bothTimesMayHaveBothForms(text: String, nanoseconds: Int32) throws {
    let pet = try PetDetails(.good.with(\.createdAt, text).with(\.updatedAt, text))
    let expected = Timestamp(seconds: 1_733_063_053, nanoseconds: nanoseconds)
    #expect(pet.createdAt == expected && pet.updatedAt == expected)
  }

  @Test(arguments: [(90, 180), (-90, -180), (0, 21), (51.48, 0), (90, 0), (0, 0)] as [(Double, Double)])
  func theEdgesOfTheGlobeAreOnIt(latitude: Double, longitude: Double) throws {
    let place = Announcement.good.with(\.locationLatitude, latitude).with(\.locationLongitude, longitude)
    #expect(try Animal(place).coordinate == Coordinate(latitude: latitude, longitude: longitude))
  }

  @Test(arguments: Spoiling.everywhere)
  func aDetailFailsAtTheFirstWrongField(_ spoiling: Spoiling) throws {
    let error = #expect(throws: AnnouncementError.self) { try PetDetails(spoiling.spoilt) }
    let problem = try #require(error?.problem)
    #expect((problem.kind, problem.field, problem.value) == (spoiling.kind, spoiling.field, spoiling.value))
    #expect(!problem.expected.isEmpty && "\(problem)".hasPrefix(spoiling.field))
    #expect(error?.id == spoiling.spoilt.id)
    #expect(throws: AnnouncementError.self) { try Animal(spoiling.spoilt) }
  }

  @Test(arguments: Spoiling.inDetails)
  func aDetailFailsAtItsTimesAndAListDoesNot(_ spoiling: Spoiling) throws {
    let error = #expect(throws: AnnouncementError.self) { try PetDetails(spoiling.spoilt) }
    #expect(error?.problem.kind == spoiling.kind && error?.problem.field == spoiling.field)
    #expect(error?.problem.value == spoiling.value)
    #expect(try Animal(spoiling.spoilt).id == spoiling.spoilt.id)
  }

  @Test func errorsSayWhichFieldWhichValueAndWhatWasExpected() throws {
    let error = #expect(throws: AnnouncementError.self) { try Animal(.good.with(\.species, "DINO\u{1B}[2J")) }
    #expect(
      "\(try #require(error))"
        == #"announcement 550e8400 cannot be shown: species is "DINO\u{1b}[2J"; expected dog, cat, bird or other"#)
    let missing = #expect(throws: AnnouncementError.self) { try Animal(.good.with(\.id, "")) }
    #expect(
      "\(try #require(missing))"
        == "an announcement without an id cannot be shown: id is missing; expected a text that is not empty")
    let long = #expect(throws: AnnouncementError.self) {
      try Animal(.good.with(\.lastSeenDate, String(repeating: "9", count: 100_000)))
    }
    #expect("\(try #require(long))".count < 200)
  }
}

extension String {
  fileprivate var capitalizedForTest: String { prefix(1).uppercased() + dropFirst() }
}
