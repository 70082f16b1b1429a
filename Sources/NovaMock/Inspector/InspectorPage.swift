/// The page under `/_nova/`: one document that needs nothing from elsewhere.
package enum InspectorPage {
  /// The document.
  package static let html = """
    <!DOCTYPE html>
    <html lang="en">
    <head><meta charset="utf-8"><title>nova serve</title></head>
    <body>
    <h1>nova serve</h1>
    <ul>
    <li><a href="/_nova/state">State</a></li>
    <li><a href="/_nova/requests">Requests</a></li>
    <li><a href="/_nova/faults">Faults</a></li>
    <li><a href="/_nova/snapshots">Snapshots</a></li>
    </ul>
    </body>
    </html>
    """
}
