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

  /// The latencies, in milliseconds.
  var latencies: String {
    ["p50", "p99", "p999", "max"].map { "\($0) \((Double(self[$0]) / 1000).shown(1)) ms" }.joined(separator: ", ")
  }

  func send() {
    print(line)
    fflush(nil)
  }
}

extension Double {
  func shown(_ digits: Int) -> String { String(format: "%.\(digits)f", self) }
}

extension Int {
  var grouped: String {
    let digits = String(abs(self))
    let first = digits.count % 3
    var groups = first > 0 ? [String(digits.prefix(first))] : []
    for start in stride(from: first, to: digits.count, by: 3) {
      groups.append(String(digits.dropFirst(start).prefix(3)))
    }
    return (self < 0 ? "-" : "") + groups.joined(separator: ",")
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
