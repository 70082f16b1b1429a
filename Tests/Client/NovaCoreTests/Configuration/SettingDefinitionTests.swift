import Testing

@testable import NovaCore

@Suite struct SettingDefinitionTests {
  @Test func eachSettingHasItsOwnPathAndVariable() {
    let paths = SettingDefinition.all.map(\.path)
    let variables = SettingDefinition.all.compactMap(\.variable)
    #expect(Set(paths).count == paths.count)
    #expect(Set(variables).count == variables.count)
  }

  @Test func filesHaveTheOtherSettingsOnly() {
    let outside = SettingDefinition.all.filter { !$0.isInFiles }.map(\.path)
    #expect(outside == ["base_url", "timeout_seconds", "token"])
  }

  @Test(arguments: SettingDefinition.all.map(\.path)) func eachSettingHasItsKind(path: String) {
    let path = path.replacing(SettingDefinition.anyEnvironment, with: "staging")
    #expect(ConfigurationSchema.kind(of: path) != nil)
  }
}
