// The real kubectl on the practice cluster.
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { root } from "./fieldmark.ts";
import { recall } from "./shared.ts";

/** Runs kubectl with an input. An error has kubectl's message. The editor of `kubectl edit` is a command that gets a file. */
export async function kubectl(namespace: string, args: string[], { input = "", editor = "true" } = {}): Promise<string> {
  const env = { ...process.env, KUBE_EDITOR: editor };
  const running = promisify(execFile)(join(root, "bin", "kubectl"), ["--kubeconfig", recall().practice, "--context", "practice", "--namespace", namespace, ...args], { env });
  running.child.stdin!.end(input);
  return (await running).stdout;
}
