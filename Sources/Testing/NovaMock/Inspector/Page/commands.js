/* A request as a command of a shell. */

const mask = "****";

/** Text in single quotes for a shell. */
function quoted(text) { return "'" + text.replaceAll("'", "'\\''") + "'"; }

/** JSON with escapes for characters that are invisible or reorder text: what is pasted is what is seen. */
function visible(json) {
  return json.replace(/[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g,
    each => "\\u" + each.charCodeAt(0).toString(16).padStart(4, "0"));
}

function variable(name) {
  const words = name.replace(/([a-z])([A-Z])/g, "$1_$2").replace(/[^A-Za-z0-9]+/g, "_").toUpperCase();
  return '"$' + (/^[0-9]/.test(words) ? "_" : "") + words + '"';
}

/** Text in quotes, where each masked value is a variable of the shell. The pattern finds a name and its masked value. */
function quotedWithVariables(text, pattern) {
  let [result, end] = ["", 0];
  for (const match of text.matchAll(pattern)) {
    const value = match.index + match[0].lastIndexOf(mask);
    result += quoted(text.slice(end, value)) + variable(match[1]);
    end = value + mask.length;
  }
  return result + (end < text.length || !end ? quoted(text.slice(end)) : "");
}

function quotedJSON(text) { return quotedWithVariables(visible(text), /"([^"\\]*)":"\*\*\*\*"/g); }
function quotedPath(text) { return quotedWithVariables(text, /[?&]([^=&]*)=\*\*\*\*/g); }

/** What curl or the connection sets by itself. */
const ownHeaders = ["host", "connection", "content-length", "transfer-encoding", "accept-encoding", "expect", "x-request-id",
  "traceparent", "tracestate"];

function quotedHeader({ name, value }) {
  if (!value.includes(mask)) return quoted(name + ": " + value);
  const isToken = /^authorization$/i.test(name);
  return '"' + name + ": " + value.replaceAll(/["`$\\]/g, "\\$&").replaceAll(mask, isToken ? "$NOVA_TOKEN" : variable(name).slice(1, -1)) + '"';
}

/** Throws if the body is not stored, or not text that a command can contain. */
function requireBody(request) {
  if (!request.request_headers) throw new Error("no command: the server no longer stores the headers and the body");
  if (request.request_body === null) return;
  try { JSON.parse(request.request_body); } catch { throw new Error("no command: the request body has " + request.request_body); }
}

function curlCommand(request) {
  requireBody(request);
  const needsGlob = /[\[\]{}]/.test(request.path);
  const parts = ["curl " + (needsGlob ? "--globoff " : "") + "-X " + request.method + " " + quotedPath(location.origin + request.path)];
  for (const header of request.request_headers) {
    if (!ownHeaders.includes(header.name.toLowerCase())) parts.push("-H " + quotedHeader(header));
  }
  if (request.request_body !== null) parts.push("--data-raw " + quotedJSON(request.request_body));
  return parts.join(" \\\n  ");
}

function novaCommand(request) {
  requireBody(request);
  if (!request.rpc || !request.message) throw new Error("no command: nova call needs an RPC and a request that matches the contract");
  const hasToken = request.request_headers.some(each => /^authorization$/i.test(each.name));
  return (hasToken ? 'NOVA_TOKEN="$NOVA_TOKEN" ' : "") + "nova call " + request.rpc + " "
    + quotedJSON(request.message) + " --base-url " + location.origin;
}
