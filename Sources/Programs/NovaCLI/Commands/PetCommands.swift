import ArgumentParser
import NovaSDK

struct Pets: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pets", abstract: "List lost and found pets.", usage: "nova pets [--near <lat,lng>] [<options>]",
    discussion: """
      nova pets --near 52.23,21.01

      Announcements that violate the contract are left out. Standard error lists them
      with the reason, and JSON lists them under "skipped".
      """)

  @Option(
    parsing: .unconditional, help: .value("lat,lng", "Your position in degrees: the nearest pets come first."),
    transform: Self.place)
  var near: Coordinate?
  @OptionGroup(title: "List") var limit: LimitOptions
  @OptionGroup var options: RecordListOptions

  func run() async throws {
    let shape = try options.shape(
      PetRecord.animal.descriptor,
      columns: ["id", "name", "species", "status", "last_seen_date", "breed", "contact_phone"])
    try await CommandContext.run(options) { context in
      let list = try await context.announcements.list(near: near)
      let animals = list.animals.map(PetRecord.animal.json)
      try await context.list(
        Array(animals.prefix(limit.limit ?? animals.count)), in: shape, key: "animals",
        counting: (one: "pet", many: "pets"),
        members: [.init(name: "skipped", value: .array(list.skipped.map(PetRecord.json)))])
      report(list.skipped, context)
    }
  }

  /// The sample data has announcements that violate the contract on purpose, which is no reason to warn.
  private func report(_ skipped: [SkippedAnnouncement], _ context: CommandContext) {
    guard context.configuration.usesMockData || RunningServers.haveSampleData(at: context.configuration) else {
      return skipped.forEach { Diagnostics.warning("skipped: \($0)") }
    }
    guard !skipped.isEmpty, options.format == .table else { return }
    let count = CountText.phrase(skipped.count, one: "announcement", many: "announcements")
    Diagnostics.note("\(count) of the sample data violate the contract, and are left out; -o json lists them")
  }

  private static func place(_ text: String) throws -> Coordinate {
    if let place = Coordinate(text) { return place }
    throw ValidationError(
      "expected a latitude from -90 to 90, a comma and a longitude from -180 to 180, such as 52.23,21.01")
  }
}

struct Pet: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pet", abstract: "Show a lost or found pet.", usage: "nova pet <id> [<options>]")

  @Argument(help: .value("id", "ID of the announcement.")) var id: EntityID
  @OptionGroup var options: RecordOptions

  func run() async throws {
    let shape = try options.shape(PetRecord.details.descriptor)
    try await CommandContext.run(options) { context in
      let pet = try await context.announcements.detail(id: id.text)
      guard options.format == .table, options.fields == nil else {
        return try context.show(PetRecord.details.json(pet), in: shape)
      }
      let card = PetCard(pet: pet, times: context.cells.times)
      try context.output.writeLine(context.output.styles.heading(card.name))
      try context.output.writeRows(card.rows)
    }
  }
}
