// vscode.cjs EXTENSION FIELDMARK FILE: activates the bundled extension in Node, with a stand-in for the module of VS Code, which exists only in VS Code. The
// extension starts the real program, and opens the file. The diagnostics, the question and the copied text are printed as JSON. It proves nothing about VS Code.
const Module = require("node:module");
const { readFileSync } = require("node:fs");
const { pathToFileURL, fileURLToPath } = require("node:url");

const [extension, program, file] = process.argv.slice(2);
const seen = { settings: [], questions: [] };
const nothing = { dispose() {} };
const event = () => nothing;

class Uri {
  constructor(text) {
    this.text = text;
    this.scheme = new URL(text).protocol.slice(0, -1);
    this.path = new URL(text).pathname;
  }
  get fsPath() { return fileURLToPath(this.text); }
  static parse(text) { return new Uri(text); }
  static file(path) { return new Uri(pathToFileURL(path).href); }
  toString() { return this.text; }
}
class Position {
  constructor(line, character) { Object.assign(this, { line, character }); }
}
class Range {
  constructor(a, b, c, d) { Object.assign(this, c === undefined ? { start: a, end: b } : { start: new Position(a, b), end: new Position(c, d) }); }
}
class Diagnostic {
  constructor(range, message, severity) { Object.assign(this, { range, message, severity }); }
}
class EventEmitter {
  constructor() { this.all = []; this.event = (f) => (this.all.push(f), nothing); }
  fire(value) { for (const f of this.all) f(value); }
  dispose() {}
}
class CancellationTokenSource {
  constructor() { this.token = { isCancellationRequested: false, onCancellationRequested: event }; }
  cancel() {}
  dispose() {}
}

// some is whatever the module has besides: a class, a function, or a list of names.
const some = (name) => new Proxy(class {}, {
  get: (target, key) => (key in target || typeof key === "symbol" ? target[key] : key.startsWith("on") ? event : some(`${name}.${key}`)),
  apply: () => nothing,
});
const withOthers = (name, own) => new Proxy(own, { get: (target, key) => (key in target || typeof key === "symbol" ? target[key] : key.startsWith("on") ? event : () => nothing) });

const commands = {};
const text = readFileSync(file, "utf8");
const documents = [{ uri: Uri.file(file), languageId: "yaml", version: 1, fileName: file, isClosed: false, isUntitled: false, lineCount: text.split("\n").length, getText: () => text }];
const settings = { path: program, context: "", dryRuns: [], manager: "me" };

const vscode = new Proxy({
  Uri, Position, Range, Diagnostic, EventEmitter, CancellationTokenSource,
  DiagnosticSeverity: { Error: 0, Warning: 1, Information: 2, Hint: 3 },
  workspace: withOthers("workspace", {
    textDocuments: documents, notebookDocuments: [], workspaceFolders: undefined,
    getConfiguration: () => ({ get: (name, otherwise) => { if (name in settings) seen.settings.push(name); return settings[name] ?? otherwise; } }),
  }),
  languages: withOthers("languages", {
    match: (selector, document) => (selector.some ? selector : [selector]).some((s) => s.language === document.languageId) ? 10 : 0,
    createDiagnosticCollection: () => ({
      set(uri, all) {
        if (all?.length) {
          seen.diagnostics = all.map((d) => ({ code: d.code?.value ?? d.code, message: d.message, line: d.range.start.line, severity: d.severity }));
          end();
        } else if (!seen.asked) {
          seen.asked = true; // the file has no errors that need no cluster: consent, as a person would
          commands["fieldmark.check"](uri.toString()).catch((error) => fail(error));
        }
      },
      delete() {}, clear() {}, dispose() {}, has: () => false, get: () => [], forEach() {},
    }),
  }),
  window: withOthers("window", {
    visibleTextEditors: [], activeTextEditor: undefined, tabGroups: withOthers("tabGroups", { all: [] }),
    createOutputChannel: () => withOthers("channel", { name: "Fieldmark" }),
    showErrorMessage: (message) => { seen.error = message; end(); },
    showWarningMessage: async (message, ...choices) => { seen.questions.push(message); return choices[0]; },
  }),
  commands: { registerCommand: (name, handler) => { commands[name] = handler; return nothing; }, executeCommand: async () => undefined },
  env: { language: "en", appName: "a stand-in", clipboard: { writeText: async (copied) => { seen.copied = copied; } } },
  extensions: withOthers("extensions", { all: [], getExtension: () => undefined }),
  version: "1.106.0",
}, { get: (target, key) => (key in target || typeof key === "symbol" || key === "then" ? target[key] : some(String(key))) });

const load = Module._load;
Module._load = function (name, ...rest) { return name === "vscode" ? vscode : load.call(this, name, ...rest); };

const { activate, deactivate } = require(extension);
let ending = false;
async function end() {
  if (ending) return;
  ending = true;
  await commands["fieldmark.copy"]?.("kubectl apply");
  await deactivate();
  seen.ended = true;
  process.stdout.write(JSON.stringify(seen));
  process.exit(0);
}
function fail(error) {
  console.error(error);
  process.exit(1);
}
activate({ subscriptions: [] }).then(() => { seen.activated = true; }, fail);
