/// Rare edges between users (blocks and mutes) from two permutations of all users: some users have an edge to the user
/// that the permutation maps them to. Both directions are computed.
struct PairLayers: Sendable {
  private let entropy: Entropy
  private let field: Field
  // Two fields instead of an array, so that copying a world needs no reference counting.
  private let first: Layer
  private let second: Layer
  /// The share of users, in permille, with an edge in each permutation.
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
        order: Permutation(count: users) { round in entropy.draw(field, for: users, -1 - number * 16 - round).bits })
    }
    first = layer(0)
    second = layer(1)
  }

  /// Returns the targets of a user's edges, without duplicates and without the user.
  func targets(of user: Int) -> [Int] { Self.list(target(of: user, first), target(of: user, second)) }

  /// Returns the sources of the edges to a user.
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
    entropy.draw(field, for: user, layer.number).chance(permille)
  }

  private static func list(_ first: Int?, _ second: Int?) -> [Int] {
    guard let first else { return second.map { [$0] } ?? [] }
    guard let second, second != first else { return [first] }
    return [first, second]
  }
}
