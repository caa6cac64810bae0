// The processes of a practice cluster, each by its own id.
import { readdirSync, readFileSync } from "node:fs";
import { eventually } from "./api.ts";

/** The process of a component of the practice cluster in the folder, other than one that is known to be gone. */
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
    .map((pid) => ({ pid: Number(pid), line: commandLine(pid) }));
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    return ""; // it has just ended
  }
}
