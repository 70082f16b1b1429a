/* The users and posts, which can be found and changed, and the analytics events. */

const users = { path: "users", name: "user", plural: "users", items: [], item: userItem };
const posts = { path: "posts", name: "post", plural: "posts", items: [], item: postItem };
const events = { path: "analytics", name: "event", plural: "events", items: [], item: eventItem };

/** Reads the first page of what the search finds, or the next page. */
async function find(kind, isNext) {
  const parameters = new URLSearchParams({ limit: 50, offset: isNext ? kind.items.length : 0, search: byId(kind.name + "-search").value.trim() });
  if (kind === posts && byId("post-author").value.trim()) parameters.set("author", byId("post-author").value.trim());
  try {
    const page = await ask(kind.path + "?" + parameters);
    kind.items = (isNext ? kind.items : []).concat(page[kind.plural]);
    byId(kind.name + "-total").textContent = kind.items.length.toLocaleString("en") + " of " + numberOf(page.total, kind.name, kind.plural);
    byId("more-" + kind.plural).hidden = kind.items.length >= page.total;
    redraw(byId(kind.name + "-list"), kind.items.map(kind.item));
  } catch (error) { showMessage(reason(error), true); }
}

/** Reads again what is shown, after a change. */
function findAgain() { return Promise.all([find(users), find(posts), find(events)]); }

function userItem(user) {
  const item = element("li");
  const text = element("span");
  text.append(element("b", user.username, "name"), " ", element("span", user.display_name || "", "name"), element("br"),
    element("span", user.id + " · " + numberOf(user.follower_count, "follower", "followers") + " · " + numberOf(user.post_count, "post", "posts")
      + (user.is_private ? " · private" : ""), "faint"));
  item.append(text, button("Edit", () => editUser(user), "Edit " + user.username));
  return item;
}

function postItem(post) {
  const item = element("li");
  const [text, controls] = [element("span"), element("span", undefined, "controls")];
  text.append(post.title ? element("b", post.title + " ", "name") : "", element("span", post.content.slice(0, 200), "name"), element("br"),
    element("span", post.id + " by " + post.creator_id + " · " + utc(post.created_at) + " · " + post.status + ", " + post.privacy, "faint"));
  controls.append(button("Edit", () => editPost(post), "Edit " + post.id), button("Delete", async () => {
    if (await confirmed("Delete " + post.id + "?", "Delete")) act(post.id + " deleted", () => ask("posts/" + encodeURIComponent(post.id), "DELETE")).then(findAgain);
  }, "Delete " + post.id));
  item.append(text, controls);
  return item;
}

function eventItem(event) {
  const item = element("li");
  const text = element("span");
  const properties = Object.entries(event.properties).sort().map(each => each.join("=")).join(" ");
  text.append(element("b", event.name, "name"), " ", element("span", properties.slice(0, 200), "name"), element("br"),
    element("span", event.id + " by " + (event.user_id || event.anonymous_id) + " · " + utc(event.occurred_at_ms / 1000) + " · " + event.session_id, "faint"));
  item.append(text);
  return item;
}

function editUser(user) {
  edit("User " + user.id, user, [["display_name", "Display name"], ["bio", "Bio", "textarea"], ["avatar_url", "Avatar URL"], ["cover_url", "Cover URL"],
    ["website", "Website"], ["location", "Location"], ["is_private", "Private", ["false", "true"]]],
    changes => ask("users/" + encodeURIComponent(user.id), "PATCH", "is_private" in changes ? { ...changes, is_private: changes.is_private === "true" } : changes));
}

function editPost(post) {
  edit("Post " + post.id, post, [["title", "Title"], ["content", "Content", "textarea"], ["status", "Status", ["published", "draft", "archived"]],
    ["privacy", "Privacy", ["public", "followers", "private"]]], changes => ask("posts/" + encodeURIComponent(post.id), "PATCH", changes));
}

/** Shows a form with the fields of a record, and saves those that were changed. */
function edit(title, record, fields, save) {
  const controls = fields.map(([name, label, kind]) => {
    const control = element(Array.isArray(kind) ? "select" : kind || "input");
    if (Array.isArray(kind)) control.append(...kind.map(each => new Option(each)));
    if (kind === "textarea") control.rows = 4;
    control.name = name;
    control.value = record[name] === undefined || record[name] === null ? "" : String(record[name]);
    // A text area changes line breaks, so what it shows is what is compared.
    control.dataset.before = control.value;
    return [control, field(label, control)];
  });
  byId("editor-title").textContent = title;
  byId("editor-problem").textContent = "";
  byId("editor-fields").replaceChildren(...controls.map(each => each[1]));
  byId("editor-form").onsubmit = async event => {
    event.preventDefault();
    const changed = controls.map(each => each[0]).filter(each => each.value !== each.dataset.before);
    try {
      await save(Object.fromEntries(changed.map(each => [each.name, each.value])));
      byId("editor").close();
      showMessage("saved");
      await findAgain();
    } catch (error) { byId("editor-problem").textContent = reason(error); }
  };
  byId("editor").showModal();
}

for (const kind of [users, posts, events]) {
  byId(kind.name + "-form").onsubmit = event => { event.preventDefault(); find(kind); };
  byId("more-" + kind.plural).onclick = () => find(kind, true);
}
byId("editor-cancel").onclick = () => byId("editor").close();
document.addEventListener("tab", event => { if (event.detail === "data") findAgain(); });
