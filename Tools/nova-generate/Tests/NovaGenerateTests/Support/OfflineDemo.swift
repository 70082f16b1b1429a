/// A contract with notes that users write and star, and what clients store of it.
enum OfflineDemo {
  static let body = """
    message Note {
      string id = 1; string owner_id = 2; string text = 3; optional string label = 4; int64 created_at = 5;
      int64 updated_at = 6; int32 star_count = 7; string parent_id = 8;
    }
    message NoteLine { string id = 1; string title = 2; int32 stars = 3; }
    message Stats { int64 stars = 1; }
    message GetNoteRequest { string note_id = 1; }
    message GetNoteResponse { Note note = 1; bool found = 2; }
    message ListNotesRequest { string owner_id = 1; string order = 2; int32 limit = 3; int32 offset = 4; }
    message ListNotesResponse { repeated Note notes = 1; int32 total = 2; bool has_more = 3; }
    message IsStarredRequest { string note_id = 1; string user_id = 2; }
    message IsStarredResponse { bool starred = 1; }
    message BatchRequest { string user_id = 1; repeated string note_ids = 2; }
    message BatchResponse { map<string, bool> starred = 1; map<string, Stats> stats = 2; }
    message BoardRequest { string token = 1; }
    message BoardResponse { repeated NoteLine lines = 1; }
    message StarRequest { string user_id = 1; string note_id = 2; }
    message StarResponse { bool success = 1; int64 star_count = 2; string note_id = 3; }
    message UnstarResponse { bool success = 1; }
    message AddNoteRequest { string user_id = 1; string text = 2; optional string label = 3; }
    message AddNoteResponse { Note note = 1; }
    message ChangeNoteRequest { string note_id = 1; optional string text = 2; optional string label = 3; }
    message DropNoteRequest { string note_id = 1; }
    message DropNoteResponse {}
    message Event { string actor_id = 1; string subject_id = 2; optional string post_id = 3; map<string, int64> counts = 4; }
    service DemoService {
      rpc GetNote(GetNoteRequest) returns (GetNoteResponse) { option idempotency_level = NO_SIDE_EFFECTS; }
      rpc ListNotes(ListNotesRequest) returns (ListNotesResponse) { option idempotency_level = NO_SIDE_EFFECTS; }
      rpc IsStarred(IsStarredRequest) returns (IsStarredResponse) { option idempotency_level = NO_SIDE_EFFECTS; }
      rpc BatchGet(BatchRequest) returns (BatchResponse) { option idempotency_level = NO_SIDE_EFFECTS; }
      rpc GetBoard(BoardRequest) returns (BoardResponse) { option idempotency_level = NO_SIDE_EFFECTS; }
      rpc Star(StarRequest) returns (StarResponse) { option idempotency_level = IDEMPOTENT; }
      rpc Unstar(StarRequest) returns (UnstarResponse) { option idempotency_level = IDEMPOTENT; }
      rpc AddNote(AddNoteRequest) returns (AddNoteResponse);
      rpc ChangeNote(ChangeNoteRequest) returns (Note) { option idempotency_level = IDEMPOTENT; }
      rpc DropNote(DropNoteRequest) returns (DropNoteResponse) { option idempotency_level = IDEMPOTENT; }
      rpc Ping(DropNoteRequest) returns (DropNoteResponse);
    }
    """

  /// The section `offline`, as it is two levels below the document.
  static let section = """
    records:
      - message: Note
        parent: parent_id
        listed_in: notes[owner_id, =new] first
        counted_by: notes[owner_id]
        counts:
          star_count: stars[id]
    parts:
      - message: NoteLine
        of: Note
        fields:
          title: text
        counts:
          stars: stars[id]
    relations:
      - name: starred
        a: Note
        b: Note
        of_b: stars
      - name: hidden
        a: Note
        b: Note
        visibility: [cleared, set]
    lists:
      - name: notes[owner, order]
    counts:
      - name: notes[owner]
    reads:
      - rpc: demo.GetNote
        time_to_live: 7
        records:
          note: Note[note_id]
        exists:
          found: Note[note_id]
      - rpc: demo.ListNotes
        page:
          notes: notes[owner_id, order|new]
        counts:
          total: notes[owner_id]
      - rpc: demo.IsStarred
        relations:
          starred: starred[user_id, note_id]
      - rpc: demo.BatchGet
        relations:
          starred: starred[user_id, note_ids]
        counts:
          stats.stars: stars[note_ids]
      - rpc: demo.GetBoard
        whole: true
        shares: lines
    writes:
      - rpc: demo.Star
        sets: starred[user_id, note_id]
        undone_by: demo.Unstar
        counts:
          star_count: stars[note_id]
        expires: [demo.GetBoard]
        check: demo.IsStarred
      - rpc: demo.Unstar
        clears: starred[user_id, note_id]
        undone_by: demo.Star
      - rpc: demo.AddNote
        creates: Note
        with:
          owner_id: user_id
          created_at: now
          updated_at: now
        check: demo.ListNotes
        same: [owner_id, text, label]
      - rpc: demo.ChangeNote
        updates: Note[note_id]
        with:
          updated_at: now
      - rpc: demo.DropNote
        removes: Note[note_id]
    never_queued:
      - rpc: demo.Ping
        reason: It changes nothing.
    events:
      - type: star.set
        sets: starred[actor_id, post_id]
        counts:
          star_total: stars[post_id]
        expires: [demo.GetBoard]
      - type: star.cleared
        clears: starred[actor_id, post_id]
      - type: note.added
        doubts: notes[subject_id]
    """

  static let methods = [
    "GetNote", "ListNotes", "IsStarred", "BatchGet", "GetBoard", "Star", "Unstar", "AddNote", "ChangeNote", "DropNote",
    "Ping",
  ]

  /// `gateway.yaml` with this section.
  static func gateway(_ section: String = section, secrets: String = "") -> String {
    let rules = methods.map { "{selector: nova.demo_service.v1.DemoService.\($0), post: /\($0)}" }
    let lines = section.split(separator: "\n").map { "    \($0)\n" }.joined()
    return "http: {rules: [\(rules.joined(separator: ", "))]}\nnova:\n  secrets: [\(secrets)]\n  offline:\n\(lines)"
  }
}
