/* The picker and the list of faults. */

let contract = { rpcs: [], services: [], fault_kinds: [], version: "" };
let rules = [];

/** Fills the forms with the RPCs and the kinds of faults, which the server knows. */
function showContract(answer) {
  contract = answer;
  byId("fault-kind").replaceChildren(...contract.fault_kinds.map((kind, index) => new Option(kind.title, index)));
  byId("targets").replaceChildren(...contract.services.concat(contract.rpcs.map(each => each.rpc)).map(each => new Option(each)));
  byId("stub-rpc").replaceChildren(...contract.rpcs.map(each => new Option(each.rpc)));
  showKind();
  showStubRPC();
}

function faultKind() { return contract.fault_kinds[byId("fault-kind").value]; }

function showKind() {
  byId("fault-help").textContent = faultKind().help;
  byId("fault-parameters").replaceChildren(...faultKind().parameters.map(each => field(each.title, parameterControl(each))));
  writeRule();
}

function parameterControl(parameter) {
  const control = element(parameter.choices ? "select" : "input");
  if (parameter.choices) control.append(...parameter.choices.map(each => new Option(each)));
  if (parameter.maximum !== undefined) Object.assign(control, { type: "number", min: parameter.minimum, max: parameter.maximum, required: true });
  control.value = parameter.example;
  control.dataset.parameter = parameter.name;
  control.oninput = writeRule;
  return control;
}

/** Writes the rule that the form describes. */
function writeRule() {
  let rule = faultKind().pattern;
  for (const control of byId("fault-parameters").querySelectorAll("[data-parameter]")) {
    rule = rule.replace("{" + control.dataset.parameter + "}", () => control.value.trim());
  }
  const [target, times, probability] = ["target", "times", "probability"].map(each => byId("fault-" + each).value.trim());
  byId("fault").value = (target && target + "=") + rule + (times && "x" + times) + (probability && "@" + probability);
}

function showFaults(answer) {
  byId("fault-count").textContent = answer.rules.length ? "(" + answer.rules.length + ")" : "";
  if (!isNew("faults", answer)) return;
  rules = answer.rules.map(each => each.rule);
  disable(byId("remove-faults"), !rules.length);
  redraw(byId("fault-list"), rules.length ? answer.rules.map(faultItem) : [element("li", "none", "faint")]);
}

function faultItem(each, index) {
  const item = element("li");
  const left = each.remaining === null ? "" : ", " + each.remaining + " left";
  const text = element("span");
  text.append(element("code", each.rule), element("span", " " + numberOf(each.hits, "call", "calls") + left, "faint"));
  item.append(text, button("Remove", () => act("fault removed", () =>
    ask("faults", "PUT", { rules: rules.filter((_, other) => other !== index) })), "Remove " + each.rule));
  return item;
}

byId("fault-kind").onchange = showKind;
for (const name of ["target", "times", "probability"]) byId("fault-" + name).oninput = writeRule;
byId("remove-faults").onclick = () => act("faults removed", () => ask("faults", "DELETE"));
byId("fault-form").onsubmit = event => {
  event.preventDefault();
  const rule = byId("fault").value.trim();
  if (rule) act("fault added: " + rule, () => ask("faults", "PUT", { rules: rules.concat(rule) }));
};
