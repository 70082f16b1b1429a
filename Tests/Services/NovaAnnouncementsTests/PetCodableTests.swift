import Foundation
import NovaAnnouncements
import NovaCore
import NovaTestSupport
import Testing

@Suite struct PetCodableTests {
  private func decode<Model: Decodable>(_ json: String, as model: Model.Type = Model.self) throws -> Model {
    try JSONDecoder().decode(model, from: Data(json.utf8))
  }

  private func json(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  private let snakeCase = #"""
    {"id": "550e8400", "pet_name": "Max", "species": "dog", "status": "Missing", "photo_url": "/images/max.jpg",
      "last_seen_date": "2024-11-15", "location_latitude": 52.2297, "location_longitude": 21.0122,
      "breed": "Golden Retriever", "microchip_number": "123456789012345", "email": "owner@example.com",
      "phone": "+48123456789", "reward": "500 PLN", "description": "Friendly golden retriever, responds to Max",
      "created_at": "2024-11-20 10:30:00", "updated_at": "2024-12-01T14:24:13Z"}
    """#

  private let ownForm = #"""
    {"id": "550e8400", "petName": "Max", "species": "dog", "status": "missing", "photoUrl": "/images/max.jpg",
      "lastSeenDate": "2024-11-15", "coordinate": {"latitude": 52.2297, "longitude": 21.0122},
      "breed": "Golden Retriever", "microchipNumber": "123456789012345", "contactEmail": "owner@example.com",
      "contactPhone": "+48123456789", "reward": 500, "description": "Friendly golden retriever, responds to Max",
      "createdAt": "2024-11-20T10:30:00.000Z", "updatedAt": "2024-12-01 14:24:13"}
    """#

  @Test func theJSONOfBackendsIsRead() throws {
    let good = try PetDetails(.good)
    var animal = try decode(DocumentSample.listItem, as: Animal.self)
    #expect(animal.id == "550e8400-e29b-41d4-a716-446655440000")
    animal.id = good.id
    #expect(animal == good.animal)
    #expect(try decode(snakeCase, as: Animal.self) == good.animal)
    #expect(try decode(snakeCase) == good)
    var pet = try decode(DocumentSample.details, as: PetDetails.self)
    pet.id = good.id
    #expect(pet == good)
    let list = try decode(DocumentSample.list(DocumentSample.listItem), as: [String: [Animal]].self)
    #expect(list["data"]?.map(\.name) == ["Max"])
    #expect(try decode(json(Announcement.good)) == good, "a message that Foundation wrote")
  }

  @Test func theirOwnFormIsRead() throws {
    var good = try PetDetails(.good)
    #expect(try decode(ownForm, as: Animal.self) == good.animal)
    good.rewardText = nil
    #expect(try decode(ownForm) == good)
    let earlier = ownForm.replacing("petName", with: "name")
    #expect(try decode(earlier) == good)
    #expect(try decode(earlier, as: Animal.self) == good.animal)
  }

  @Test func theyWriteTheirOwnForm() throws {
    #expect(
      try json(PetDetails(.good))
        == #"{"breed":"Golden Retriever","contactEmail":"owner@example.com","contactPhone":"+48123456789","#
        + #""coordinate":{"latitude":52.2297,"longitude":21.0122},"createdAt":"2024-11-20T10:30:00Z","#
        + #""description":"Friendly golden retriever, responds to Max","id":"550e8400","lastSeenDate":"2024-11-15","#
        + #""microchipNumber":"123456789012345","petName":"Max","photoUrl":"/images/max.jpg","reward":500,"#
        + #""rewardText":"500 PLN","species":"dog","status":"missing","updatedAt":"2024-12-01T14:24:13Z"}"#)
    let bare = Announcement.good.with(\.breed, nil)
    #expect(
      try json(Animal(bare))
        == #"{"contactPhone":"+48123456789","coordinate":{"latitude":52.2297,"longitude":21.0122},"#
        + #""description":"Friendly golden retriever, responds to Max","id":"550e8400","lastSeenDate":"2024-11-15","#
        + #""petName":"Max","photoUrl":"/images/max.jpg","species":"dog","status":"missing"}"#)
  }

  /// What is written comes back, in JSON, in snake case, and as a property list.
  @Test(arguments: [nil, "500 PLN", "negotiable", "500-800 PLN", "1 250,50 zł", "0"] as [String?])
  func whatIsWrittenComesBack(reward: String?) throws {
    let pet = try PetDetails(
      .good.with(\.reward, reward).with(\.breed, nil).with(\.email, reward).with(
        \.createdAt, "2024-11-20T10:30:00.123456789Z"))
    #expect(try decode(json(pet)) == pet)
    #expect(try decode(json(pet.animal)) == pet.animal)
    let (encoder, decoder) = (JSONEncoder(), JSONDecoder())
    encoder.keyEncodingStrategy = .convertToSnakeCase
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    #expect(try decoder.decode(PetDetails.self, from: encoder.encode(pet)) == pet)
    #expect(try PropertyListDecoder().decode(PetDetails.self, from: PropertyListEncoder().encode(pet)) == pet)
  }

  @Test(
    arguments: [
      (#""500 PLN""#, 500, "500 PLN"), ("12.5", 12.5, nil), (#""negotiable""#, nil, "negotiable"), ("null", nil, nil),
      ("-5", nil, nil), ("0", nil, nil),
    ] as [(String, Double?, String?)])
  func aRewardIsANumberOrAText(json: String, amount: Double?, text: String?) throws {
    let pet = try decode(ownForm.replacing("\"reward\": 500", with: "\"reward\": \(json)"), as: PetDetails.self)
    #expect(pet.reward == amount && pet.rewardText == text)
  }

  @Test(arguments: DocumentSample.defects) func invalidDataFails(_ defect: DocumentSample.Defect) throws {
    let own = defect.field == "species" ? "\"dog\"" : defect.text
    for (json, isWhole) in [
      (defect.applied(to: DocumentSample.listItem), false), (defect.applied(to: DocumentSample.details), true),
      (ownForm.replacing(own, with: defect.replacement), true),
    ] {
      #expect(try problem(json, Animal.self)?.kind == defect.kind)
      if isWhole { #expect(try problem(json, PetDetails.self)?.field == defect.field) }
    }
  }

  @Test func detailsNeedTheirTimes() throws {
    #expect(try problem(DocumentSample.listItem, PetDetails.self)?.field == "created_at")
    let early = ownForm.replacing("14:24:13", with: "24:24:13")
    #expect(try problem(early, PetDetails.self)?.kind == .invalidDate)
    #expect(try decode(early, as: Animal.self).name == "Max")
  }

  @Test(arguments: [
    "[]", "null", "\"x\"", "{}", #"{"coordinate": 5}"#, #"{"coordinate": {"latitude": 5}}"#, #"{"age": "old"}"#,
    #"{"petName": "a", "pet_name": "b"}"#, #"{"reward": 500}"#,
  ])
  func otherJSONFails(_ json: String) {
    #expect(throws: DecodingError.self) { try decode(json, as: Animal.self) }
    #expect(throws: DecodingError.self) { try decode(json, as: PetDetails.self) }
  }

  /// The problem in the error's underlying ``AnnouncementError``.
  private func problem<Model: Decodable>(_ json: String, _ model: Model.Type) throws -> AnnouncementProblem? {
    let error = #expect(throws: DecodingError.self) { try decode(json, as: model) }
    guard case .dataCorrupted(let context)? = error else { return nil }
    return (context.underlyingError as? AnnouncementError)?.problem
  }
}
