import Foundation

/// Numbers by name, as one process reports them to the other in a line.
struct Report {
  private var numbers: [String: Int]

  init(_ numbers: [String: Int]) { self.numbers = numbers }

  init?(line: String) {
    numbers = [:]
    for part in line.split(separator: " ") {
      let pair = part.split(separator: "=")
      guard pair.count == 2, let number = Int(pair[1]) else { return nil }
      numbers[String(pair[0])] = number
    }
  }

  subscript(name: String) -> Int { numbers[name] ?? 0 }

  var line: String { numbers.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ") }

  /// The latencies in milliseconds, as figures whose names begin with `prefix`.
  func latencies(prefix: String) -> [String: Double] {
    let names = ["p50", "p99", "p999", "max"]
    return Dictionary(uniqueKeysWithValues: names.map { ("\(prefix)\($0)_ms", Double(self[$0]) / 1000) })
  }

  func send() {
    print(line)
    fflush(nil)
  }
}

/// Nanoseconds of a clock that all processes of this machine share.
func monotonicTime() -> Int {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return time.tv_sec * 1_000_000_000 + time.tv_nsec
}

/// The CPU time of this process, in microseconds.
func processorTime() -> Int {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return time.tv_sec * 1_000_000 + time.tv_nsec / 1000
}

struct Unusable: Error, CustomStringConvertible {
  let description: String
}
