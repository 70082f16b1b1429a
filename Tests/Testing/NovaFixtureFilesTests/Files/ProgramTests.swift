import Foundation
import NovaFixtureFiles
import NovaFixtures
import NovaTestSupport
import Testing

/// The `nova fixtures` command: its output, and the files after every outcome.
@Suite struct ProgramTests {
  @Test func aSetIsWrittenCheckedAndCompared() async throws {
    try await withDirectory { path in
      let generated = try await nova(
        "fixtures", "generate", "--seed", "nova1:42", "--users", "20", "--follows", "5", "--format", "ndjson,csv",
        "--rpc", "none", "--out",
        "\(path)/a")
      #expect(generated.status == 0 && generated.errors.isEmpty, "\(generated.errors)")
      #expect(generated.output.hasPrefix("nova1:42: "))
      try smallSet(formats: [.ndjson, .csv]).write(to: "\(path)/b")
      let diff = try await nova("fixtures", "diff", "\(path)/a", "\(path)/b")
      #expect(diff.status == 0 && diff.output.isEmpty, "\(diff.output)")
      let checked = try await nova("fixtures", "check", "\(path)/a")
      #expect(checked.status == 0 && checked.output.contains("files match the manifest"), "\(checked.output)")
      try Data("x".utf8).write(to: URL(filePath: "\(path)/b/users.csv"))
      #expect(try await nova("fixtures", "check", "\(path)/b").status == 65)
      let changed = try await nova("fixtures", "diff", "\(path)/a", "\(path)/b")
      #expect(changed.status == 1 && changed.output.hasPrefix("users.csv\n"), "\(changed.output)")
      let refused = try await nova("fixtures", "generate", "--out", "\(path)/b")
      let advice =
        "users.csv was changed since nova fixtures wrote it; choose another directory, or replace it with --force\n"
      #expect(refused.status == 1 && refused.errors.hasSuffix(advice), "\(refused.errors)")
      for command in [["check"], ["diff", "\(path)/a"]] {
        let missing = try await ProgramRun(["fixtures"] + command + ["\(path)/none"]).result()
        #expect(
          missing.status == 65 && missing.errors.contains("there is no directory \(path)/none"), "\(missing.errors)")
      }
      #expect(try names(in: path) == ["a", "b"])
    }
  }

  @Test(arguments: [
    (["--seed", "42"], "expected nova1: and a number"), (["--format", "xml"], "Expected one of json, ndjson"),
    (["--entities", "users,post"], "Did you mean posts?"), (["--users", "0"], "expected 1 to 100000000"),
    (["--scale", "2", "--posts", "5"], "--scale and --posts cannot be combined"),
    (["--scale", "34"], "invalid --scale: must be 1 to 33, got 34"),
    (["--format", "csv", "--dialect", "camel"], "the dialect camel requires a JSON format"),
    (["--dialect", "xml"], "Expected one of wire, canonical"),
  ])
  func badOptionsAreNamed(_ options: [String], _ reason: String) async throws {
    try await withDirectory { path in
      let result = try await ProgramRun(["fixtures", "generate", "--out", "\(path)/set"] + options).result()
      #expect(result.status == 64 && result.errors.contains(reason), "\(result.errors)")
      #expect(try names(in: path).isEmpty)
    }
  }

  @Test func contentsAreListed() async throws {
    let list = try await nova("fixtures", "list")
    #expect(list.status == 0 && list.output.contains("entity\tusers"))
    for word in FixtureEntity.allCases.map(\.rawValue) + FixtureFormat.allCases.map(\.rawValue)
      + FixtureDialect.allCases.map(\.rawValue)
    { #expect(list.output.contains("\t\(word)\t"), "\(word)") }
  }

  @Test(arguments: ["ndjson", "sqlite", "csv", "proto-binary", "postgresql"])
  func fullDisksLeaveNoFiles(_ format: String) async throws {
    try await withDirectory { path in
      try smallSet().write(to: "\(path)/set")
      let before = try contents(of: "\(path)/set")
      let options = ["--users", "600", "--format", format, "--rpc", "none", "--out", "\(path)/set"]
      let result = try await ProgramRun(["fixtures", "generate"] + options, onDiskOf: 64).result()
      #expect(result.status == 1 && result.errors.contains("cannot write \(path)"), "\(result.errors)")
      // The test's disk is a limit of the file size, which only SQLite cannot tell from a full disk.
      let hasAdvice = result.errors.contains("; nothing was changed: free space, and try again")
      #expect(hasAdvice == (format == "sqlite"), "\(result.errors)")
      #expect(try contents(of: "\(path)/set") == before)
      #expect(try names(in: path) == ["set"])
    }
  }

  @Test(arguments: [SIGKILL, SIGINT])
  func interruptedWritesKeepTheOldDirectory(_ signal: Int32) async throws {
    try await withDirectory { path in
      try smallSet().write(to: "\(path)/set")
      let before = try contents(of: "\(path)/set")
      let run = try ProgramRun(["fixtures", "generate", "--users", "1000000", "--out", "\(path)/set"])
      while try names(in: path) == ["set"] { try await Task.sleep(for: .milliseconds(5)) }
      run.signal(signal)
      let result = try await run.result()
      #expect(result.status == (signal == SIGKILL ? 137 : 130))
      #expect(try contents(of: "\(path)/set") == before)
      // Whoever is killed leaves its temporary directory to the next run.
      if signal == SIGINT { #expect(try names(in: path) == ["set"]) }
      try smallSet(seed: 2).write(to: "\(path)/set")
      #expect(try names(in: path) == ["set"])
    }
  }

  @Test func directoriesThatCannotBeWrittenAreNamed() async throws {
    let missing = try await nova("fixtures", "generate", "--out", "/does/not/exist")
    #expect(
      missing.status == 1 && missing.errors.contains("there is no directory /does/not; create it"), "\(missing.errors)")
    // Nobody, not even root, creates directories in /proc.
    let locked = try await nova("fixtures", "generate", "--out", "/proc/set")
    #expect(locked.status == 1 && locked.errors.contains("cannot create /proc/"), "\(locked.errors)")
  }
}
