@testable import NovaCore

/// A file gives a configuration that holds together, or an error that names a setting and stays on one line.
enum ConfigurationTarget {
  static func check(_ bytes: [UInt8]) {
    TemporaryFile.with(bytes) { path in
      let configuration: APIConfiguration
      do throws(ConfigurationError) {
        configuration = try APIConfiguration.load(file: .path(path), environment: [:])
      } catch {
        require(error.description.isPrintable, "the error has control characters: \(error)")
        return require(error.description.utf8.count < 1500, "the error has \(error.description.utf8.count) bytes")
      }
      require(
        BaseURL.parse(configuration.baseURL.text) == configuration.baseURL, "\(configuration.baseURL) is not a base URL"
      )
      require(configuration.timeout > .zero, "the timeout is \(configuration.timeout)")
      require(configuration.limits.maximumResponseBytes > 0 && configuration.retryAttempts >= 0, "impossible limits")
      require(configuration.token == nil, "a token comes from a file")
    }
  }
}
