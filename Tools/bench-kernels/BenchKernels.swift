import NovaCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

// The fixed work that Tools/bench-check counts instructions of:
//   bench-kernels <kernel> <repetitions>    runs one kernel
//   bench-kernels                           lists the kernels

@main
enum BenchKernels {
  static func main() throws {
    let arguments = CommandLine.arguments.dropFirst()
    if arguments.isEmpty { return Kernel.all.forEach { print($0.name) } }
    guard arguments.count == 2, let name = arguments.first, let count = arguments.last.flatMap(Int.init), count > 0,
      let kernel = Kernel.all.first(where: { $0.name == name })
    else {
      print("usage: bench-kernels [<kernel> <repetitions>]")
      exit(64)
    }
    try kernel.run(count)
  }
}

/// Work that is the same each time, and runs as often as asked.
struct Kernel: Sendable {
  let name: String
  /// Prepares the work, and does it so many times.
  let run: @Sendable (_ repetitions: Int) throws -> Void

  static let all = codecs + binary + calls

  /// Work that does not wait.
  static func plain(_ name: String, _ prepare: @escaping @Sendable () throws -> () throws -> Void) -> Kernel {
    Kernel(name: name) { repetitions in
      let work = try prepare()
      for _ in 0..<repetitions { try work() }
    }
  }

  /// Asynchronous work, all of it on the main thread.
  static func asynchronous(
    _ name: String, _ prepare: @escaping @Sendable () throws -> @Sendable () async throws -> Void
  ) -> Kernel {
    Kernel(name: name) { repetitions in
      let work = try prepare()
      try MainThread.run {
        for _ in 0..<repetitions { try await work() }
      }
    }
  }
}
