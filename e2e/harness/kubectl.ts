// The real kubectl, as people use it, on the practice cluster.
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { root } from "./fieldmark.ts";
import { recall } from "./shared.ts";

/** Runs kubectl with the input, and fails with its words. The editor of `kubectl edit` is a command that is given a file. */
export async function kubectl(namespace: string, args: string[], { input = "", editor = "true" } = {}): Promise<string> {
  const env = { ...process.env, KUBE_EDITOR: editor };
  const running = promisify(execFile)(join(root, "bin", "kubectl"), ["--kubeconfig", recall().practice, "--context", "practice", "--namespace", namespace, ...args], { env });
  running.child.stdin!.end(input);
  return (await running).stdout;
}
