import NovaCore

/// The notation of PostgreSQL: names, texts in statements, and the cells of `COPY`.
enum PostgreSQLText {
  /// Returns a name of a table or column, in quotation marks if PostgreSQL would read it as something else.
  static func name(_ name: String) -> String {
    let isPlain =
      name.utf8.first.map { !$0.isASCIIDigit } ?? false && name.consists(of: plain) && !reserved.contains(name)
    return isPlain ? name : "\"\(name.replacing("\"", with: "\"\""))\""
  }

  /// Returns a text as a literal.
  static func literal(_ text: String) -> String { "'\(text.replacing("'", with: "''"))'" }

  /// Appends a cell of `COPY`'s text format: `\N` is an absent value, and an empty cell an empty text.
  static func append(_ cell: String?, to output: inout [UInt8]) {
    guard let cell else { return output.append(contentsOf: #"\N"#.utf8) }
    for byte in cell.utf8 {
      switch byte {
      case UInt8(ascii: "\\"): output.append(contentsOf: #"\\"#.utf8)
      case UInt8(ascii: "\t"): output.append(contentsOf: #"\t"#.utf8)
      case UInt8(ascii: "\n"): output.append(contentsOf: #"\n"#.utf8)
      case UInt8(ascii: "\r"): output.append(contentsOf: #"\r"#.utf8)
      default: output.append(byte)
      }
    }
  }

  private static let plain = ASCIISet("abcdefghijklmnopqrstuvwxyz0123456789_")

  /// The keywords that cannot be names (PostgreSQL 18, appendix C).
  private static let reserved = Set(
    """
    all analyse analyze and any array as asc asymmetric authorization binary both case cast check collate collation \
    column concurrently constraint create cross current_catalog current_date current_role current_schema current_time \
    current_timestamp current_user default deferrable desc distinct do else end except false fetch for foreign freeze \
    from full grant group having ilike in initially inner intersect into is isnull join lateral leading left like limit \
    localtime localtimestamp natural not notnull null offset on only or order outer overlaps placing primary references \
    returning right select session_user similar some symmetric system_user table tablesample then to trailing true \
    union unique user using variadic verbose when where window with
    """.split(separator: " ").map(String.init))
}
