import Testing

/// What the section `offline` says is about something, and about every RPC, or it stops the generator.
@Suite struct OfflineRefusalTests {
  private func said(_ text: String, _ replacement: String, secrets: String = "") throws -> String {
    let section = OfflineDemo.section
    try #require(section.contains(text), "\(text) is not in the example")
    let gateway = OfflineDemo.gateway(section.replacing(text, with: replacement), secrets: secrets)
    return try refusal(demo(OfflineDemo.body), gateway: gateway, offline: "NovaOffline")
  }

  @Test func theExampleIsFine() throws { #expect(try said("7", "7") == "nothing") }

  @Test func theSectionIsNeeded() throws {
    let gateway = OfflineDemo.gateway().split(separator: "\n").prefix(3).joined(separator: "\n")
    #expect(
      try refusal(demo(OfflineDemo.body), gateway: gateway, offline: "NovaOffline")
        == "gateway.yaml: nova: has no section offline")
  }

  @Test(arguments: [
    ("time_to_live: 7", "time: 7", "has the unknown key \"time\""),
    ("time_to_live: 7", "time_to_live: soon", "time_to_live is not a whole number"),
    ("reason: It changes nothing.", "", "lacks reason"),
    ("Note[note_id]", "Note[note_id", "has the name \"Note[note_id\"; expected a form like"),
    ("notes[owner_id, =new] first", "notes[now, =new] first", "has the name \"notes[now, =new] first\""),
    ("created_at: now", "created_at: Now", "has created_at: \"Now\"; expected a field, =text or now"),
    ("shares: lines", "shares: {lines: x}", "shares is not a list"),
    ("visibility: [cleared, set]", "visibility: ended", "has the visibility \"ended\"; expected set or cleared"),
    ("visibility: [cleared, set]", "visible: set", "has the unknown key \"visible\""),
    ("notes: notes[", "x: reads\n      notes: notes[", "has two pages"),
  ])
  func form(_ text: String, _ replacement: String, _ reason: String) throws {
    let said = try said(text, replacement)
    #expect(said.hasPrefix("gateway.yaml: ") && said.contains(reason), "\(said)")
  }

  @Test(arguments: [
    (
      "  - rpc: demo.DropNote\n    removes: Note[note_id]\n", "", "does not name demo.DropNote; it belongs under writes"
    ),
    ("demo.Ping", "demo.Pong", "has \"demo.Pong\", which is not an RPC"),
    ("rpc: demo.Ping", "rpc: demo.DropNote", "names demo.DropNote again"),
    ("rpc: demo.Ping", "rpc: demo.GetNote", "has demo.GetNote, which has no side effects: reads or"),
    ("rpc: demo.IsStarred", "rpc: demo.Star", "has demo.Star, which has effects: writes or"),
  ])
  func everyRPCIsNamedOnce(_ text: String, _ replacement: String, _ reason: String) throws {
    let said = try said(text, replacement)
    #expect(said.hasPrefix("gateway.yaml: offline") && said.contains(reason), "\(said)")
  }

  @Test func secretsAreNotStored() throws {
    let token = "nova.demo_service.v1.BoardRequest.token"
    #expect(
      try said("7", "7", secrets: token).contains("would store the secret field BoardRequest.token of demo.GetBoard"))
    let label = "nova.demo_service.v1.Note.label"
    #expect(try said("7", "7", secrets: label).contains("would store the secret field Note.label of demo.GetNote"))
  }

  @Test(arguments: [
    ("message: Note\n", "message: Notes\n", "which is not one of the records"),
    ("parent: parent_id", "parent: parent", "has parent, which is not a field of Note"),
    ("notes[owner_id, =new] first", "notes[owner_id] first", "has 1 keys for the list notes, which has 2"),
    ("notes[owner_id, =new] first", "note[owner_id] first", "has note, which is not one of the lists"),
    ("star_count: stars[id]\nparts", "text: stars[id]\nparts", "has text, which is no whole number in Note"),
    ("title: text", "title: created_at", "has title, which is of another type than created_at of Note"),
    ("of: Note\n", "of: Stats\n", "is a part of Stats, which is not one of the records"),
    ("b: Note", "b: Stats", "is about Stats, which is not one of the records"),
    ("- name: notes[owner]", "- name: stars[note]", "names the count stars again"),
    ("- name: notes[owner, order]", "- name: stars[note]", "names the list stars again"),
    ("- name: notes[owner]", "- name: notes[owner]\n    of: Note", "is about Note, but"),
  ])
  func recordsAndCollections(_ text: String, _ replacement: String, _ reason: String) throws {
    let said = try said(text, replacement)
    #expect(said.hasPrefix("gateway.yaml: offline ") && said.contains(reason), "\(said)")
  }

  @Test(arguments: [
    ("type: star.cleared", "type: star.set", "names star.set again"),
    ("clears: starred[actor_id, post_id]", "expires: demo.GetNote", "expires demo.GetNote, which is not a read"),
    ("clears: starred[actor_id, post_id]", "clears: starred[post_id]", "has 1 keys for the relation starred"),
    ("doubts: notes[subject_id]", "doubts: notes[subject]", "has subject, which is not a field of Event"),
    ("  - type: note.added\n    doubts: notes[subject_id]", "  - type: note.added", "changes nothing"),
    ("star_total: stars[post_id]", "star_total: star[post_id]", "has star, which is not one of the counts"),
  ])
  func events(_ text: String, _ replacement: String, _ reason: String) throws {
    let said = try said(text, replacement)
    #expect(said.hasPrefix("gateway.yaml: offline ") && said.contains(reason), "\(said)")
  }

  @Test(arguments: [
    ("note: Note[note_id]", "notes: Note[note_id]", "has notes, which is not a field of GetNoteResponse"),
    ("note: Note[note_id]", "found: Note[note_id]", "has found, which is not a Note"),
    ("note: Note[note_id]", ".: Note[note_id]", "has ., but does not return a Note"),
    ("note: Note[note_id]", "note: Stats[note_id]", "has Stats, which is not one of the records"),
    ("found: Note[note_id]", "note: Note[note_id]", "has note, which is not true or false"),
    ("order|new]", "limit|new]", "has the key limit, which is neither text nor a whole number"),
    ("notes: notes[", "has_more: notes[", "has the page has_more, which holds neither ids nor records"),
    ("total: notes[owner_id]", "has_more: notes[owner_id]", "has has_more, which is no whole number"),
    (
      "starred: starred[user_id, note_ids]", "stats: starred[user_id, note_ids]",
      "has stats, which is not a map of each"
    ),
    ("starred: starred[user_id, note_ids]", "starred: starred[note_ids, user_id]", "has starred, which is not a map"),
    ("stats.stars: stars[note_ids]", "stats.stars: stars[user_id]", "has stats.stars, but no field of ids"),
    ("stats.stars: stars[note_ids]", "starred.stars: stars[note_ids]", "has starred, which is not a map of ids to"),
    ("shares: lines", "shares: line", "has line, which is not a field of BoardResponse"),
    (
      "whole: true\n    shares: lines", "whole: true\n    counts:\n      lines: stars[token]",
      "has lines, which is no whole"
    ),
    ("whole: true\n    shares: lines", "shares: lines", "shares fields, but is not whole"),
    ("    whole: true\n    shares: lines\n", "", "names no fact of the answer"),
  ])
  func reads(_ text: String, _ replacement: String, _ reason: String) throws {
    let said = try said(text, replacement)
    #expect(said.hasPrefix("gateway.yaml: offline reads[") && said.contains(reason), "\(said)")
  }

  @Test(arguments: [
    ("sets: starred[user_id, note_id]", "sets: starred[user_id]", "has 1 keys for the relation starred, which has 2"),
    ("sets: starred[user_id, note_id]", "sets: stars[note_id]", "but the two do not set and clear one relation"),
    (
      "clears: starred[user_id, note_id]\n    undone_by: demo.Star\n", "sets: stars[note_id]\n",
      "is undone by demo.Unstar"
    ),
    ("    removes: Note[note_id]", "    sets: stars[note_id]", "has stars, which is not one of the relations"),
    ("    undone_by: demo.Star\n", "", "is undone by demo.Unstar, which is not undone by demo.Star"),
    ("clears: starred", "sets: starred", "but the two do not set and clear one relation"),
    ("star_count: stars[note_id]", "success: stars[note_id]", "has success, which is no whole number"),
    ("[demo.GetBoard]", "[demo.GetNote]", "expires demo.GetNote, which is not a read that is stored as a whole"),
    ("check: demo.IsStarred", "check: demo.Star", "is checked by demo.Star, which is not one of the reads"),
    ("check: demo.IsStarred", "check: demo.GetNote", "is checked by demo.GetNote, which does not read starred"),
    ("check: demo.IsStarred", "check: demo.BatchGet", "is checked by demo.BatchGet, which is for many at once"),
    ("check: demo.ListNotes", "check: demo.GetNote", "is checked by demo.GetNote, which lists no Notes"),
    ("    same: [owner_id, text, label]\n", "", "is checked by demo.ListNotes and needs same"),
    ("    check: demo.ListNotes\n", "", "has same without check"),
    ("same: [owner_id, text, label]", "same: [title]", "has title, which is not a field of Note"),
    ("creates: Note", "creates: Stats", "has Stats, which is not one of the records"),
    ("owner_id: user_id", "owner: user_id", "has owner, which is not a field of Note"),
    ("owner_id: user_id", "owner_id: now", "sets owner_id to now, but it is not a time"),
    ("owner_id: user_id", "owner_id: label", "sets owner_id to label, which is of another type or may be absent"),
    ("owner_id: user_id", "star_count: =many", "sets star_count to \"many\", which is no value of its type"),
    ("      owner_id: user_id\n", "", "does not give the Note its notes"),
    ("updates: Note[note_id]", "updates: Note[id]", "has id, which is not a field of ChangeNoteRequest"),
    ("removes: Note[note_id]", "updates: Note[note_id]", "does not answer with the Note"),
    ("removes: Note[note_id]", "about: Note[note_id]", "changes nothing"),
    ("removes: Note[note_id]", "removes: Note[note_id]\n    updates: Note[note_id]", "takes at most one of creates"),
    (
      "removes: Note[note_id]", "removes: Note[note_id]\n    about: nothing[note_id]", "has nothing, which is no record"
    ),
  ])
  func writes(_ text: String, _ replacement: String, _ reason: String) throws {
    let said = try said(text, replacement)
    #expect(said.hasPrefix("gateway.yaml: offline writes[") && said.contains(reason), "\(said)")
  }
}
