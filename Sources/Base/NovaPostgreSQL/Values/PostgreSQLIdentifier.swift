extension String {
  /// The name of a schema, table, or channel as SQL has it: `"nova"`. Any characters are safe.
  package var quotedIdentifier: String {
    "\"\(split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\""))\""
  }
}
