// The processes of a Fieldmark and of its practice cluster, each by its own id.
import { readdirSync, readFileSync } from "node:fs";
import { eventually } from "./api.ts";

/** The process of a component of the practice cluster in the folder, except one that is known to have ended. */
export async function componentOf(folder: string, component: string, gone = 0): Promise<number> {
  let found = 0;
  await eventually(component, 30_000, () => {
    found = processes().find(({ pid, line }) => pid !== gone && line.startsWith(`fieldmark-practice ${component} `) && line.includes(`${folder}/`))?.pid ?? 0;
    return Promise.resolve(found ? undefined : `${component} does not run`);
  });
  return found;
}

function processes(): { pid: number; line: string }[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => ({ pid: Number(pid), line: about(Number(pid), "cmdline") }));
}

/** The system's data about a process, separated by spaces; empty if the process has ended or belongs to another user. */
function about(pid: number, file: "cmdline" | "environ"): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8").replaceAll("\0", " ");
  } catch {
    return "";
  }
}

/** Stops the one process with this home and command line as a debugger does: its connections stay open, and nothing comes. The result lets it go on. */
export function freeze(home: string, command: RegExp): () => void {
  const [one, ...more] = processes().filter(({ pid, line }) => command.test(line) && about(pid, "environ").includes(`HOME=${home} `));
  if (!one || more.length > 0) throw new Error(`${one ? more.length + 1 : 0} processes are ${command} in ${home}`);
  process.kill(one.pid, "SIGSTOP");
  return () => process.kill(one.pid, "SIGCONT");
}
