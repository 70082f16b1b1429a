/// Rare edges between users, blocks and mutes: two orders of all users, in each of which some are joined to whom the order
/// sends them to. Both directions are computed.
struct PairLayers: Sendable {
  private let entropy: Entropy
  private let field: Field
  // Two fields and no array: a world without references is copied for nothing.
  private let first: Layer
  private let second: Layer
  /// How many of a thousand have an edge in each order.
  private let permille: Int

  private struct Layer {
    let number: Int
    let order: Permutation
  }

  init(_ entropy: Entropy, _ field: Field, users: Int, permille: Int) {
    self.entropy = entropy
    self.field = field
    self.permille = permille
    func layer(_ number: Int) -> Layer {
      Layer(
        number: number,
        order: Permutation(count: users) { round in entropy.draw(field, users, -1 - number * 16 - round).bits })
    }
    first = layer(0)
    second = layer(1)
  }

  /// Whom a user's edges go to, none twice, never the user.
  func targets(of user: Int) -> [Int] { Self.list(target(of: user, first), target(of: user, second)) }

  /// Whose edges go to a user.
  func sources(of user: Int) -> [Int] { Self.list(source(of: user, first), source(of: user, second)) }

  func contains(_ source: Int, _ target: Int) -> Bool {
    self.target(of: source, first) == target || self.target(of: source, second) == target
  }

  private func target(of user: Int, _ layer: Layer) -> Int? {
    guard isActive(user, layer) else { return nil }
    let target = layer.order(user)
    return target == user ? nil : target
  }

  private func source(of user: Int, _ layer: Layer) -> Int? {
    let source = layer.order.inverse(user)
    return source != user && isActive(source, layer) ? source : nil
  }

  private func isActive(_ user: Int, _ layer: Layer) -> Bool {
    entropy.draw(field, user, layer.number).chance(permille)
  }

  private static func list(_ first: Int?, _ second: Int?) -> [Int] {
    guard let first else { return second.map { [$0] } ?? [] }
    guard let second, second != first else { return [first] }
    return [first, second]
  }
}
