/// A question from a reader who may not see the answer.
struct LeakProbe: Sendable {
  let surface: LeakSurface
  let reader: LeakReader
  let question: LeakQuestion

  /// The name of the request: `a private post, as a stranger`.
  var name: String {
    let things = PrivateThing.allCases.filter { question.signs[$0] != nil }
    let what = things.count == 1 ? things[0].name : "hidden posts"
    return "\(what)\(question.detail), \(reader.name)"
  }

  /// All probes of a reader in a phase, in the order of the table.
  ///
  /// - Parameter things: what to ask for. Default: all things.
  static func all(
    _ surfaces: [LeakSurface], in phase: PrivacyPhase, as reader: LeakReader, _ world: PrivacyWorld,
    things: Set<PrivateThing>? = nil
  ) -> [LeakProbe] {
    surfaces.flatMap { surface -> [LeakProbe] in
      if reader == .nobody, surface.needsUser { return [] }
      let things = surface.things.filter {
        $0.phases.contains(phase) && $0.hiddenFrom.contains(reader) && world.missing[$0] == nil
          && (things ?? world.things).contains($0)
      }
      return surface.scope.groups(of: things).flatMap { group in
        surface.questions(LeakContext(world: world, reader: reader, things: group)).map {
          LeakProbe(surface: surface, reader: reader, question: $0)
        }
      }
    }
  }
}

extension LeakSurface.Scope {
  /// The things of each request.
  fileprivate func groups(of things: [PrivateThing]) -> [[PrivateThing]] {
    switch self {
    case .each: things.map { [$0] }
    case .first: things.prefix(1).map { [$0] }
    case .together: things.isEmpty ? [] : [things]
    }
  }
}

extension LeakCheck {
  init(_ probe: LeakProbe, _ world: PrivacyWorld) {
    self.init(
      rpc: probe.surface.rpc, answer: probe.surface.answer, question: probe.question, reader: probe.reader, world: world
    )
  }
}
