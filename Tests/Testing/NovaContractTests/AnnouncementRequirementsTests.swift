import NovaAnnouncements
import NovaContract
import NovaCore
import Testing

/// What lists and details of announcements need, each by itself.
@Suite struct AnnouncementRequirementsTests {
  private static let texts = [
    "id", "petName", "species", "status", "photoUrl", "lastSeenDate", "phone", "description",
  ]
  private static let places = ["locationLatitude", "locationLongitude"]
  private static let times = ["createdAt", "updatedAt"]

  /// The members of an announcement without optional ones.
  private static let complete: [JSONValue.Member] = [
    ("id", .string("550e8400")), ("petName", .string("Max")), ("species", .string("DOG")),
    ("status", .string("MISSING")), ("photoUrl", .string("/images/max.jpg")), ("lastSeenDate", .string("2024-11-15")),
    ("locationLatitude", .number("0")), ("locationLongitude", .number("0.0")), ("phone", .string("+48123456789")),
    ("description", .string("Friendly")), ("createdAt", .string("2024-11-20T10:30:00.000Z")),
    ("updatedAt", .string("2024-12-01 14:24:13")),
  ].map { .init(name: $0, value: $1) }

  private static func without(_ names: [String]) -> JSONValue {
    .object(complete.filter { !names.contains($0.name) })
  }

  private static func with(_ name: String, _ value: JSONValue) -> JSONValue {
    .object(complete.map { $0.name == name ? .init(name: name, value: value) : $0 })
  }

  private func differences(_ body: JSONValue, of rpc: RPCDescriptor) -> [ContractDifference] {
    let response = HTTPResponse(
      status: 200, headers: ["Content-Type": "application/json"], body: body.jsonUTF8)
    return ContractCheck.differences(in: response, of: rpc, to: nil, named: "sample")
  }

  private func inDetails(_ body: JSONValue) -> [ContractDifference] {
    differences(body, of: AnnouncementsRPC.getAnnouncement.descriptor)
  }

  private func inList(_ item: JSONValue) -> [ContractDifference] {
    differences(.members(("data", .array([item]))), of: AnnouncementsRPC.listAnnouncements.descriptor)
  }

  @Test func samplesAreComplete() {
    #expect(inDetails(.object(Self.complete)).isEmpty)
    #expect(inList(.object(Self.complete)).isEmpty)
    #expect(inList(Self.without(Self.times)).isEmpty, "a list has no times")
  }

  @Test(arguments: texts + places) func bothNeedEachField(_ name: String) {
    for (found, path) in [
      (inDetails(Self.without([name])), name), (inDetails(Self.with(name, .null)), name),
      (inList(Self.without([name])), "data[].\(name)"), (inList(Self.with(name, .null)), "data[].\(name)"),
    ] {
      let breaking = found.filter { $0.grade == .breaking }
      #expect(breaking.map(\.kind) == [.missing] && breaking.map(\.path) == [path], "\(found)")
    }
  }

  @Test(arguments: times) func onlyDetailsNeedTheirTimes(_ name: String) {
    #expect(inDetails(Self.without([name])).map(\.grade) == [.breaking])
    #expect(inDetails(Self.with(name, .string(""))).map(\.grade) == [.breaking])
    #expect(inList(Self.without([name])).isEmpty && inList(Self.with(name, .string(""))).isEmpty)
  }

  /// Details without a text cannot be shown. Of a list, one item is skipped.
  @Test(arguments: ["petName", "photoUrl", "phone", "description"]) func aTextMayBeEmptyInAList(_ name: String) {
    #expect(inDetails(Self.with(name, .string(""))).map(\.grade) == [.breaking])
    #expect(inList(Self.with(name, .string(""))).isEmpty)
  }

  @Test func theDocumentRequiresTheSame() throws {
    let schemas = OpenAPIDocument().json["components"]?["schemas"]
    func required(_ name: String) -> Set<String> {
      Set(schemas?[name]?["required"]?.elements?.compactMap(\.stringValue) ?? [])
    }
    #expect(required("Announcement") == Set(Self.texts + Self.places + Self.times))
    #expect(required("AnnouncementItem") == Set(Self.texts + Self.places))
    let item = schemas?["ListAnnouncementsResponse"]?["properties"]?["data"]?["items"]
    #expect(item == .members(("$ref", .string("#/components/schemas/AnnouncementItem"))))
    let latitude = schemas?["Announcement"]?["properties"]?["locationLatitude"]
    #expect(latitude?["type"] == .string("number"), "never null")
  }
}
