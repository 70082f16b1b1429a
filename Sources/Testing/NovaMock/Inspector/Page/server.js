/* Requests to the admin API. */

/** Calls the admin API with an object or the text of one, and returns the JSON of its response. */
async function ask(path, method = "GET", body) {
  const sent = typeof body === "object" ? JSON.stringify(body) : body;
  const answer = await fetch("/_nova/" + path, {
    method, headers: body === undefined ? {} : { "Content-Type": "application/json" },
    body: sent });
  const text = await answer.text();
  const json = text ? JSON.parse(text) : null;
  if (!answer.ok) throw new Error(json && json.message || "HTTP " + answer.status);
  return json;
}

/** Runs the action of a control, and shows the outcome. Returns whether it succeeded. */
async function act(text, work) {
  try {
    await work();
    await refresh();
    showMessage(text);
    return true;
  } catch (error) {
    showMessage(reason(error), true);
    return false;
  }
}

// JSON as text: JSON.parse rounds large numbers.
const jsonToken = /"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+/g;

/** JSON in lines, with every number as it is; throws if the text is not JSON. */
function indented(text) {
  JSON.parse(text);
  const parts = [];
  let [depth, last] = [0, ""];
  for (const [token] of text.matchAll(jsonToken)) {
    const opens = token === "{" || token === "[", closes = token === "}" || token === "]";
    if (closes) depth--;
    if (last === "{" || last === "[" ? !closes : last === "," || closes) parts.push("\n" + "  ".repeat(depth));
    parts.push(token === ":" ? ": " : token);
    if (opens) depth++;
    last = token;
  }
  return parts.join("");
}

/** The members of a JSON object as [name, text of the value]. */
function members(text) {
  const found = [];
  let [depth, name, value] = [0, null, ""];
  for (const [token] of text.matchAll(jsonToken)) {
    const closes = token === "}" || token === "]";
    if (closes) depth--;
    if (depth === 0 || (depth === 1 && token === ",")) {
      if (name !== null) found.push([name, value]);
      [name, value] = [null, ""];
    } else if (depth === 1 && name === null) name = JSON.parse(token);
    else if (depth > 1 || token !== ":") value += token;
    if (token === "{" || token === "[") depth++;
  }
  return found;
}

/** A failed connection is a TypeError of fetch. */
function reason(error) { return error instanceof TypeError ? "the server does not respond" : error.message; }
