// The path in the object for a position in a text, which the editor sends to its page. This needs no browser.
import { yaml } from "@codemirror/lang-yaml";
import { EditorState } from "@codemirror/state";
import { expect, test } from "@playwright/test";
import { join } from "node:path";
import { root } from "../harness/fieldmark.ts";

interface Place {
  document: number;
  apiVersion: string;
  kind: string;
  path: string[];
  present: string[];
  prefix: string;
  value: boolean;
  own: string;
  from: number;
  to: number;
}

const deployment = "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: x\nspec:\n";
const pod = `${deployment}  template:\n    spec:\n      containers:\n`;
const json = '{"apiVersion": "v1", "kind": "Pod", "spec": ';

/** A text with ¦ where the cursor is, and what is there: the path, and of it what the table names. */
const places: Record<string, [text: string, path: string | null, rest?: Partial<Place>]> = {
  "an empty text": ["¦", "", { apiVersion: "", kind: "", present: [], document: 0 }],
  "an empty line": [`${deployment}  ¦`, "spec", { apiVersion: "apps/v1", kind: "Deployment", prefix: "", value: false }],
  "at the edge": [`${deployment}¦`, "", { present: ["apiVersion", "kind", "metadata", "spec"] }],
  "a key begun": [`${deployment}  rep¦`, "spec", { prefix: "rep" }],
  "within a key": [`${deployment}  rep¦licas: 3\n`, "spec", { prefix: "rep", own: "replicas" }],
  "right behind a colon": ["a:¦", null],
  "a value": [`${deployment}  replicas: ¦`, "spec.replicas", { value: true, prefix: "" }],
  "a value begun": [`${deployment}  replicas: 2¦3\n`, "spec.replicas", { value: true, prefix: "2" }],
  "between siblings": [`${deployment}  replicas: 3\n  ¦\n  paused: true\n`, "spec", { present: ["replicas", "paused"] }],
  "comments and blank lines are none": [`${deployment}  # a: b\n\n  a: 1\n  ¦`, "spec", { present: ["a"] }],
  "an item's key": [`${pod}      - name: a\n        ¦\n        image: b\n`, "spec.template.spec.containers.*", { present: ["name", "image"] }],
  "a new item, as far left as its list": [`${pod}      - name: a\n      - na¦\n        image: b\n`, "spec.template.spec.containers.*", { prefix: "na", present: ["image"] }],
  "deep in lists": [`${pod}        - name: a\n          ports:\n            - - x¦\n`, "spec.template.spec.containers.*.ports.*.*", { prefix: "x" }],
  "after what is deeper": ["a:\n  script: |\n    foo\n      b: c\n  d:\n    ¦", "a.d"],
  "the second document": [`---\n# nothing\n---\na: 1\n---\n${deployment}  x¦`, "spec", { document: 1, kind: "Deployment" }],
  "the first of two": [`a: 1\nkind: A\n  ¦\n---\nkind: B\n`, "kind", { document: 0, kind: "A" }],
  "a comment": ["a: 1 # hi ¦", null],
  "a block of text": ["a: |\n  foo¦\nb: 1", null],
  "a separator": ["a: 1\n---¦\n", null],
  "quoted keys": ['"a b":\n  \'c\'\'d\':\n    e¦', "a b.c'd", { prefix: "e" }],
  "keys with dots and slashes": ["metadata:\n  labels:\n    app.kubernetes.io/name: foo\n    ¦", "metadata.labels", { present: ["app.kubernetes.io/name"] }],
  "a value in quotes": ["kind: 'Pod' # x\nsp¦ec: 1", "", { kind: "Pod", own: "spec" }],
  "in braces": [`${deployment}  selector: {matchLabels: {a: b}, ma¦}\n`, "spec.selector", { prefix: "ma", present: ["matchLabels"] }],
  "a value in braces": [`${deployment}  selector: {matchLabels: {a: ¦}}\n`, "spec.selector.matchLabels.a", { value: true }],
  "empty braces": [`${deployment}  selector: {¦}\n`, "spec.selector", { value: false, prefix: "" }],
  "braces in brackets": [`${deployment}  x: [{b: c, ¦}]\n`, "spec.x.*", { present: ["b"] }],
  "in brackets": [`${deployment}  x: [a, b¦]\n`, "spec.x.*", { value: true, prefix: "b" }],
  "a value with colons": [`a: b: c\nurl: http://x: ¦`, "url", { value: true }],
  "behind brackets": [`${deployment}  x: [a, b]¦\n`, null],
  "JSON, unfinished": [`${json}{"con¦`, "spec", { kind: "Pod", apiVersion: "v1", prefix: "con" }],
  "JSON, empty": [`${json}{¦}}`, "spec", { kind: "Pod" }],
  "JSON, a value": [`${json}{"restartPolicy": "Al¦"}}`, "spec.restartPolicy", { value: true, prefix: "Al" }],
  "brackets without end": [`a: ${"{".repeat(1000)}¦`, null],
  "a line without end": [`a: ${" ".repeat(100_000)}b: ¦`, "a", { value: true }],
};

for (const [what, [marked, path, rest]] of Object.entries(places)) {
  test(`the place of ${what}`, async () => {
    const { placeOf } = (await import(join(root, "static", "editor", "place.js"))) as { placeOf(state: EditorState, pos: number, patience: number): Place | null };
    const pos = marked.indexOf("¦");
    let place: Place | null = null;
    // If the parsing of a text with mistakes was interrupted, its tree can be another one. So a failed look is repeated with a new state.
    const look = () => (place = placeOf(EditorState.create({ doc: marked.replace("¦", ""), extensions: [yaml()] }), pos, 30_000));
    await expect.poll(() => look()?.path.join(".") ?? null).toBe(path);
    if (rest) expect(place).toMatchObject(rest);
  });
}
