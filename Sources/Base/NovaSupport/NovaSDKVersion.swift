/// The version of this SDK, as in its `User-Agent` and in `nova --version`.
public enum NovaSDKVersion {
  /// The version, by semantic versioning.
  public static let current = "0.8.0"
}
