/// A question from a reader who may not see the answer.
struct LeakProbe: Sendable {
  let surface: LeakSurface
  let reader: LeakReader
  let question: LeakQuestion

  /// The name of the request: `a private post, as a stranger`.
  var name: String {
    let things = question.things
    let what = things.count == 1 ? things[0].traits.name : "hidden posts"
    return "\(what)\(question.detail), \(reader.names.inRequest)"
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
        (things ?? world.things).contains($0) && world.missing[$0] == nil && $0.isHidden(from: reader, in: phase)
      }
      return surface.scope.groups(of: things).flatMap { group in
        surface.questions(LeakContext(world: world, reader: reader, things: group)).map {
          LeakProbe(surface: surface, reader: reader, question: $0)
        }
      }
    }
  }
}
