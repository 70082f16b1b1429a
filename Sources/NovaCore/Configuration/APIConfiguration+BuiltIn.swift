extension APIConfiguration {
  /// The built-in configuration as it is: no file, no environment variables, no overrides.
  public static let builtIn: APIConfiguration = {
    do throws(ConfigurationError) {
      return try APIConfiguration()
    } catch {
      // It is compiled in, and tests load it.
      preconditionFailure("the built-in configuration cannot be used: \(error)")
    }
  }()
}
