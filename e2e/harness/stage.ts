// Starts and stops the stage of dev/team: issuers, an API server that trusts them, and shared Fieldmarks behind a proxy.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { join } from "node:path";
import { root } from "./fieldmark.ts";
import { command, patience as longer } from "./slow.ts";

export interface Person {
  readonly email: string;
  readonly password: string;
  readonly groups: readonly string[] | null;
}

/** What the stage says of itself; package control of dev/team documents it. */
export interface Stage {
  readonly origin: string;
  readonly control: string;
  readonly issuers: Readonly<Record<string, string>>;
  readonly print: string;
  readonly tokens: number;
  readonly people: Readonly<Record<string, Person>>;
}

const variable = "FIELDMARK_STAGE";
const patience = 240_000 * longer;

/** The stage that the set-up has started. Workers inherit the environment. */
export function stage(): Stage {
  const text = process.env[variable];
  if (text === undefined) throw new Error(`${variable} is not set: the set-up has not run`);
  return JSON.parse(text) as Stage;
}

export default async function setup(): Promise<() => Promise<void>> {
  // The stage ends when its standard input does, whatever became of this process.
  const child = spawn(...command(join(root, "bin", "team-stage"), "-tokens", process.env["TOKENS"] || "15s"), { cwd: root, stdio: ["pipe", "pipe", "inherit"] });
  try {
    process.env[variable] = await firstLine(child);
  } catch (error) {
    await stop(child);
    throw error;
  }
  return () => stop(child);
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    const deadline = setTimeout(() => reject(new Error(`the stage was not ready within ${patience / 1000} s`)), patience); // the limit
    const settle = (how: () => void) => {
      clearTimeout(deadline);
      how();
    };
    child.once("error", (error) => settle(() => reject(error)));
    child.once("exit", (code) => settle(() => reject(new Error(`the stage ended with ${code}`))));
    createInterface({ input: child.stdout! }).once("line", (line) => settle(() => resolve(line)));
  });
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null) return;
  const gone = once(child, "exit");
  child.stdin!.end();
  const [code] = await gone;
  if (code !== 0) throw new Error(`the stage ended with ${code}`);
}

/** Disturbs the stage: package control of dev/team lists what is possible. */
export async function disturb(what: string): Promise<void> {
  const response = await fetch(`${stage().control}/${what}`, { method: "POST" });
  if (!response.ok) throw new Error(`${what}: ${response.status} ${await response.text()}`);
}

/** A request to the API server with all rights. */
export async function admin(method: string, path: string, body?: unknown): Promise<any> {
  const response = await fetch(`${stage().control}/cluster${path}`, { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

/** Creates a ConfigMap with all rights. A ConfigMap of that name, which an earlier try of the test has left, is deleted before. */
export async function configMap(namespace: string, name: string): Promise<any> {
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  await admin("DELETE", `${path}/${name}`).catch((error: unknown) => {
    if (!String(error).includes(" 404 ")) throw error;
  });
  return admin("POST", path, { apiVersion: "v1", kind: "ConfigMap", metadata: { name } });
}
