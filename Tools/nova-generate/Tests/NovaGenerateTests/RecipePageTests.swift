import Foundation
import Testing
import Yams

/// The pipelines of docs/ci.md are YAML in the form that GitHub Actions and GitLab CI read.
@Suite struct RecipePageTests {
  private typealias Object = [String: Any]

  /// A mapping with its keys as texts: YAML 1.1 reads the key `on` as true.
  private static func object(_ value: Any?) -> Object? {
    (value as? [AnyHashable: Any]).map { Object($0.map { ("\($0.key)", $0.value) }) { first, _ in first } }
  }

  /// The page's YAML blocks, in order.
  private static func recipes() throws -> [Object] {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../..")
    let page = try String(contentsOf: root.appending(path: "docs/ci.md"), encoding: .utf8)
    let blocks = page.components(separatedBy: "```yaml\n").dropFirst().map { $0.components(separatedBy: "\n```")[0] }
    return try blocks.map { try #require(object(try Yams.load(yaml: $0))) }
  }

  @Test func theWorkflowIsOne() throws {
    let recipes = try Self.recipes()
    #expect(recipes.count == 2)
    let workflow = try #require(recipes.first)
    #expect(Set(workflow.keys).isSubset(of: ["name", "on", "true", "permissions", "jobs"]), "\(workflow.keys)")
    let jobs = try #require(Self.object(workflow["jobs"]))
    for (name, job) in jobs {
      let job = try #require(Self.object(job))
      #expect(Set(job.keys).isSubset(of: ["runs-on", "container", "timeout-minutes", "env", "steps"]), "\(name)")
      let steps = try #require(job["steps"] as? [Any]).compactMap(Self.object)
      for step in steps {
        #expect(Set(step.keys).isSubset(of: ["name", "uses", "run", "with", "if"]), "\(step)")
        #expect((step["uses"] is String) != (step["run"] is String), "\(step)")
        if let action = step["uses"] as? String { #expect(action.contains(/^[\w-]+\/[\w\/-]+@v\d+$/), "\(action)") }
      }
      #expect(steps.contains { ($0["run"] as? String)?.contains("nova contract check ") == true })
    }
  }

  @Test func thePipelineIsOne() throws {
    let pipeline = try #require(try Self.recipes().last)
    for (name, job) in pipeline {
      let job = try #require(Self.object(job))
      #expect(
        Set(job.keys).isSubset(of: ["image", "timeout", "variables", "cache", "before_script", "script", "artifacts"]),
        "\(name)")
      // A colon followed by a space in a command would make it an object.
      let script = try #require(job["script"] as? [String])
      #expect(job["before_script"] is [String])
      #expect(script.contains { $0.hasPrefix("nova contract check ") })
      let artifacts = try #require(Self.object(job["artifacts"]))
      #expect(Self.object(artifacts["reports"])?["junit"] as? String == "contract.xml")
    }
  }
}
