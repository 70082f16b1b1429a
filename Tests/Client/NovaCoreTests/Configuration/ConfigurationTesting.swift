import NovaCore
import NovaTestSupport
import Testing

/// Loads without the process's own variables and without a file.
func load(
  _ variables: [String: String] = [:], _ overrides: ConfigurationOverrides = ConfigurationOverrides()
) throws(ConfigurationError) -> APIConfiguration {
  try APIConfiguration.load(file: .none, environment: variables, overrides: overrides, context: nil)
}

/// Loads a file with this text, named `APIConfig.json` in the results.
func load(
  file text: String, _ variables: [String: String] = [:], _ overrides: ConfigurationOverrides = ConfigurationOverrides()
) throws -> APIConfiguration {
  let folder = try TemporaryFolder()
  return try APIConfiguration.load(
    file: .path(try folder.write(text)), environment: variables, overrides: overrides, context: nil)
}

/// The text of the error, with a temporary file's folder left out.
func message(_ body: () throws -> APIConfiguration) -> String {
  do {
    _ = try body()
    return "no error"
  } catch let error as ConfigurationError {
    guard case .file(let path) = error.source, let slash = path.lastIndex(of: "/") else { return "\(error)" }
    return "\(error)".replacing(path[...slash], with: "")
  } catch {
    return "another error: \(error)"
  }
}

extension APIConfiguration {
  /// The entry with this key.
  func entry(_ key: String) -> ConfigurationEntry? { entries.first { $0.key == key } }
}
