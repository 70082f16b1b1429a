/// Rare edges between users, blocks and mutes: a few orders of all users, in each of which some are joined to whom the
/// order sends them to. Both directions are computed.
struct PairLayers: Sendable {
  private let entropy: Entropy
  private let field: Field
  private let orders: [Permutation]
  /// How many of a thousand have an edge in each order.
  private let permille: Int

  init(_ entropy: Entropy, _ field: Field, users: Int, layers: Int, permille: Int) {
    self.entropy = entropy
    self.field = field
    self.permille = permille
    orders = (0..<layers).map { layer in
      Permutation(count: users) { round in entropy.draw(field, users, -1 - layer * 16 - round).bits }
    }
  }

  /// Whom a user's edges go to, none twice, never the user.
  func targets(of user: Int) -> [Int] {
    var found: [Int] = []
    for (layer, order) in orders.enumerated() where isActive(user, layer) {
      let target = order(user)
      if target != user, !found.contains(target) { found.append(target) }
    }
    return found
  }

  /// Whose edges go to a user.
  func sources(of user: Int) -> [Int] {
    var found: [Int] = []
    for (layer, order) in orders.enumerated() {
      let source = order.inverse(user)
      if source != user, isActive(source, layer), !found.contains(source) { found.append(source) }
    }
    return found
  }

  func contains(_ source: Int, _ target: Int) -> Bool {
    for layer in orders.indices where isActive(source, layer) && orders[layer](source) == target {
      return source != target
    }
    return false
  }

  private func isActive(_ user: Int, _ layer: Int) -> Bool { entropy.draw(field, user, layer).chance(permille) }
}
