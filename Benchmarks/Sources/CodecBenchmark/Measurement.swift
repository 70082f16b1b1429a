/// The median time of one run of each candidate, in microseconds. Candidates alternate, so that whatever else the
/// machine does falls on all of them.
func medians(rounds: Int, _ candidates: [(name: String, run: () throws -> Void)]) throws -> [(String, Double)] {
  var times: [[Double]] = candidates.map { _ in [] }
  let clock = ContinuousClock()
  for candidate in candidates { try candidate.run() }
  for _ in 0..<rounds {
    for (index, candidate) in candidates.enumerated() {
      let elapsed = try clock.measure { try candidate.run() }
      times[index].append(elapsed / .microseconds(1))
    }
  }
  return candidates.indices.map { (candidates[$0].name, times[$0].sorted()[rounds / 2]) }
}
