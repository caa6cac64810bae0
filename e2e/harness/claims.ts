// The owners of each line of an object, computed from its managedFields alone. It shares no code with
// the pages, only the rules.
import { type KubeObject } from "./api.ts";

export interface Owner {
  manager: string;
  operation: string;
  subresource: string;
  apiVersion: string;
  time: string;
}

export interface Line {
  path: string;
  owners: string[];
}

interface Entry extends Partial<Owner> {
  fieldsV1?: Fields;
}

interface Fields {
  [key: string]: Fields;
}

/** What a schema says, and the claims don't. */
export interface Rules {
  /** Paths of lists and maps that are owned as a whole, with [*] for any item. */
  atomic?: readonly string[];
  /** Lists whose items nobody claims, with [*] for any item, and the key that tells their items apart. */
  keys?: Readonly<Record<string, string>>;
  /** Defaults of the keys that items are told apart by. */
  defaults?: Readonly<Record<string, unknown>>;
}

interface Claim {
  owner: string;
  fields: Fields;
  named: boolean; // by its key or value, as a list's item
}

const spelled = (entry: Entry): string =>
  JSON.stringify([entry.manager ?? "", entry.operation ?? "", entry.subresource ?? "", entry.apiVersion ?? "", entry.time ?? ""]);

/** The owners that a page names, spelled as the oracle spells them. */
export const spell = (owners: Owner[]): string[] => owners.map((owner) => spelled(owner)).sort();

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** The lines of the object as YAML, in their order. */
export function expectedLines(object: KubeObject, rules: Rules = {}): Line[] {
  const { managedFields, ...metadata } = object.metadata as { name: string; managedFields?: Entry[] };
  const claims = (managedFields ?? []).map((entry) => ({ owner: spelled(entry), fields: entry.fieldsV1 ?? {}, named: false }));
  const lines: Line[] = [];
  visit({ ...object, metadata }, "", "", claims, [], rules, lines, false);
  return lines;
}

function visit(value: any, path: string, general: string, claims: Claim[], covering: string[], rules: Rules, lines: Line[], silent: boolean): void {
  const isMember = ({ fields }: Claim) => "." in fields || Object.keys(fields).length === 0;
  const direct = path === "" ? [] : claims.filter(isMember).map(({ owner }) => owner);
  if (path !== "" && !silent) lines.push({ path, owners: [...new Set([...direct, ...covering])].sort() });
  if (value === null || typeof value !== "object") return;
  const whole = rules.atomic?.includes(general) ?? false;
  const below = [...covering];
  for (const claim of claims) if (path !== "" && Object.keys(claim.fields).length === 0 && (whole || claim.named)) below.push(claim.owner);
  if (Array.isArray(value)) items(value, path, general, claims, below, rules, lines);
  else
    for (const key of Object.keys(value).sort(byCode)) {
      const mine = claims.filter(({ fields }) => fields[`f:${key}`]).map(({ owner, fields }) => ({ owner, fields: fields[`f:${key}`]!, named: false }));
      visit(value[key], `${path}.${key}`, `${general}.${key}`, mine, below, rules, lines, false);
    }
}

const byCode = (a: string, b: string): number => (a < b ? -1 : 1);

function items(list: any[], path: string, general: string, claims: Claim[], below: string[], rules: Rules, lines: Line[]): void {
  const written = claims.flatMap(({ fields }) => Object.keys(fields));
  const claimed = [...new Set(written.filter((key) => key.startsWith("k:")).flatMap((key) => Object.keys(JSON.parse(key.slice(2)) as object)))].sort();
  const unclaimed = rules.keys?.[general];
  const names = claimed.length > 0 || unclaimed === undefined ? claimed : [unclaimed];
  const set = written.some((key) => key.startsWith("v:")) || path === ".metadata.finalizers";
  list.forEach((item, at) => {
    const key = Object.fromEntries(names.map((name) => [name, item?.[name] ?? rules.defaults?.[name]]));
    const isThis = (written: string) => {
      if (written.startsWith("k:")) {
        const claimed = JSON.parse(written.slice(2)) as Record<string, unknown>;
        return names.every((name) => same(claimed[name], key[name]));
      }
      return (written.startsWith("v:") && same(JSON.parse(written.slice(2)), item)) || written === `i:${at}`;
    };
    const mine = claims.flatMap(({ owner, fields }) => Object.keys(fields).filter(isThis).map((one) => ({ owner, fields: fields[one]!, named: true })));
    let step = `[${at}]`;
    if (names.length > 0) step = `[${names.filter((name) => key[name] !== undefined).map((name) => `${name}=${JSON.stringify(key[name])}`).join(",")}]`;
    else if (set) step = `[=${JSON.stringify(item)}]`;
    // An item with something in it begins in the line of the first thing in it.
    const silent = item !== null && typeof item === "object" && Object.keys(item).length > 0;
    visit(item, path + step, `${general}[*]`, mine, below, rules, lines, silent);
  });
}
