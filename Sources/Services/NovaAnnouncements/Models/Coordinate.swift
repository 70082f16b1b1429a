import NovaCore

/// A place on the globe.
public struct Coordinate: Sendable, Hashable, Codable {
  /// Degrees north of the equator, -90…90.
  public var latitude: Double
  /// Degrees east of Greenwich, -180…180.
  public var longitude: Double

  /// The valid latitudes, in degrees.
  public static let validLatitudes: ClosedRange<Double> = -90...90
  /// The valid longitudes, in degrees.
  public static let validLongitudes: ClosedRange<Double> = -180...180

  /// Creates a place, which need not be valid: see ``isValid``.
  public init(latitude: Double, longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }

  /// Whether both are numbers within their ranges.
  public var isValid: Bool {
    Self.validLatitudes.contains(latitude) && Self.validLongitudes.contains(longitude)
  }
}

extension Coordinate: LosslessStringConvertible {
  /// Parses `52.2297,21.0122`: latitude, comma, longitude, with or without spaces around them. Nil for anything else and
  /// for places that do not exist.
  public init?(_ description: String) {
    let parts = description.parts(between: ",", keepsEmpty: true)
    guard parts.count == 2, let latitude = Self.degrees(parts[0]), let longitude = Self.degrees(parts[1]) else {
      return nil
    }
    self.init(latitude: latitude, longitude: longitude)
    if !isValid { return nil }
  }

  /// A decimal number; `Double` alone would also accept `nan` and `0x1p3`.
  @inline(never)
  private static func degrees(_ text: String) -> Double? {
    let number = text.parts(between: " ", keepsEmpty: false)
    guard number.count == 1, number[0].consists(of: .decimal) else { return nil }
    return Double(number[0])
  }

  /// `52.2297,21.0122`
  public var description: String { "\(latitude),\(longitude)" }
}

extension ASCIISet {
  fileprivate static let decimal = digits + ASCIISet("+-.")
}
