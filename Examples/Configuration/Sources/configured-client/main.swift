import Configuration
import Foundation
import NovaSDK
import NovaSettings

do {
  let settings = NovaSettings([
    // Marked as secret, so that access logs of swift-configuration don't show it either.
    EnvironmentVariablesProvider(secretsSpecifier: .specific(["NOVA_TOKEN"])),
    try await FileProvider<JSONSnapshot>(filePath: "app.json", allowMissing: true),
    InMemoryProvider(name: "defaults", values: ["nova.timeout": .init(.double(20), isSecret: false)]),
  ])
  let nova = NovaClient(configuration: try settings.configuration())
  for (key, source) in settings.sources.sorted(by: { $0.key < $1.key }) { print("\(key) from \(source)") }
  let page = try await nova.graph.getFollowers(userId: "mock-user-id", limit: 1)
  print("followers: \(page.totalCount)")
  await nova.shutdown()
} catch {
  try? FileHandle.standardError.write(contentsOf: Data("configured-client: \(error)\n".utf8))
  exit(error is SettingError ? 78 : 1)
}
