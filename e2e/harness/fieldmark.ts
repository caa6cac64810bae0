// Starts and stops the real bin/fieldmark, like a user.
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { closeSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { command, patience as longer } from "./slow.ts";

export const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");

const ready = /^Fieldmark is ready at ((http:\/\/127\.0\.0\.1:\d+)\/\?code=\S+)$/;

export interface Fieldmark {
  /** Scheme, host and port, without a slash at the end. */
  readonly origin: string;
  /** The launch token, as programs send it and as it goes into the sign-in form. */
  readonly token: string;
  /** The printed link: it signs one browser in, once. */
  readonly link: string;
  /** What it printed on stdout, line by line. */
  readonly stdout: readonly string[];
  /** Asks it to stop, and waits until it has. Returns its exit code. */
  stop(): Promise<number | null>;
}

export interface Options {
  /** Flags besides --listen and --token. */
  args: string[];
  /** The kubeconfig file it sees. */
  kubeconfig: string;
  /** Its home and temporary folder: nothing of the person who runs the tests is read or written. */
  home: string;
  /** Where stderr goes. */
  log: string;
  /** The launch token; otherwise a random one. */
  token?: string;
  /** How long it may take until it is ready, in milliseconds. */
  patience: number;
}

export async function start(options: Options): Promise<Fieldmark> {
  mkdirSync(dirname(options.log), { recursive: true });
  const log = openSync(options.log, "w");
  const token = options.token ?? randomBytes(24).toString("base64url");
  // The script ends Fieldmark when this process is gone, whatever became of it.
  const flags = ["--listen", "127.0.0.1:0", "--kubeconfig", options.kubeconfig, ...options.args];
  const child = spawn(...command(join(root, "dev", "scripts", "die-with-stdin.sh"), join(root, "bin", "fieldmark"), ...flags), {
    stdio: ["pipe", "pipe", log],
    env: environment(options.home, token),
    cwd: options.home,
  });
  closeSync(log);
  const stdout: string[] = [];
  try {
    const { origin, link } = await readyLine(child, stdout, options.patience * longer);
    return { origin, token, link, stdout, stop: () => stop(child) };
  } catch (error) {
    await stop(child);
    throw new Error(`${String(error)}\nThe last lines of ${options.log}:\n${tail(options.log)}`);
  }
}

function environment(home: string, token: string): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = { ...process.env, HOME: home, TMPDIR: home, FIELDMARK_TOKEN: token };
  delete env["KUBECONFIG"];
  return env;
}

function readyLine(child: ChildProcess, stdout: string[], patience: number) {
  return new Promise<{ origin: string; link: string }>((resolve, reject) => {
    const deadline = setTimeout(() => reject(new Error(`Fieldmark was not ready within ${patience / 1000} s`)), patience); // the limit
    const fail = (message: string) => {
      clearTimeout(deadline);
      reject(new Error(message));
    };
    child.once("error", (error) => fail(`bin/fieldmark could not be started: ${error.message}`));
    child.once("exit", (code, signal) => fail(`Fieldmark ended before it was ready: ${signal ?? `exit code ${code}`}`));
    createInterface({ input: child.stdout! }).on("line", (line) => {
      stdout.push(line);
      const [, link, origin] = ready.exec(line) ?? [];
      if (origin === undefined || link === undefined) return;
      clearTimeout(deadline);
      resolve({ origin, link });
    });
  });
}

async function stop(child: ChildProcess): Promise<number | null> {
  if (child.pid === undefined) return null; // it never started
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const gone = once(child, "exit");
  child.kill("SIGTERM");
  // The promise is to be gone within 10 s. What takes far longer is killed, so that nothing is left behind.
  const deadline = setTimeout(() => child.kill("SIGKILL"), 30_000); // the limit
  await gone;
  clearTimeout(deadline);
  return child.exitCode;
}

function tail(file: string): string {
  return readFileSync(file, "utf8").split("\n").slice(-25).join("\n");
}
