import Foundation

/// The median CPU time of one run of each candidate, in microseconds. Candidates alternate, so that whatever else the
/// machine does falls on all of them. CPU time, as a wall clock counts other programs' turns on the core too, and mostly
/// to those candidates that take long.
func medians(of candidates: [Candidate], rounds: Int) throws -> [(String, Double)] {
  var times: [[Double]] = candidates.map { _ in [] }
  for candidate in candidates { try candidate.run() }
  for _ in 0..<rounds {
    for (index, candidate) in candidates.enumerated() {
      let start = processorTime()
      try candidate.run()
      times[index].append(processorTime() - start)
    }
  }
  return candidates.indices.map { (candidates[$0].name, times[$0].sorted()[rounds / 2]) }
}

/// The CPU time of this thread, in microseconds.
private func processorTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
}
