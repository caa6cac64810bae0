// Terminals on the Shell view of a pod.
import { type Locator, type Page } from "@playwright/test";
import { type Api, eventually } from "./api.ts";

/** Creates a pod that runs, and returns its path. */
export async function runningPod(api: Pick<Api, "create" | "get">, namespace: string, name = "web"): Promise<string> {
  const pods = `/api/v1/namespaces/${namespace}/pods`;
  const containers = [{ name: "app", image: "busybox:1.37", stdin: true, tty: true, ports: [{ containerPort: 80 }] }];
  await api.create(pods, { metadata: { name }, spec: { terminationGracePeriodSeconds: 0, containers } } as never);
  await eventually(`The pod ${name}`, 60_000, async () => {
    const { status } = await api.get(`${pods}/${name}`);
    return (status as { phase?: string } | undefined)?.phase === "Running" ? undefined : "doesn't run yet";
  });
  return `${pods}/${name}`;
}

/** The connection that is shown. */
export const shown = (page: Page): Locator => page.locator(".connection:not([hidden])");

/** What its terminal shows. */
export const screen = (page: Page): Locator => shown(page).locator(".xterm-accessibility-tree");

/** Waits until the connection that is shown is open. */
export const opened = (page: Page): Promise<void> => page.locator('.connection:not([hidden])[data-state="open"]').waitFor();

/** Opens a connection as the form has it, and waits for the prompt. Outside a practice cluster, the page asks whether to run the command. */
export async function openShell(page: Page): Promise<void> {
  await page.locator("#open-connection").click();
  const sure = page.getByRole("alertdialog").getByRole("button", { name: /^Open/ });
  await sure.or(page.locator('.connection:not([hidden])[data-state="open"]')).first().waitFor();
  if (await sure.isVisible()) await sure.click();
  await opened(page);
  await screen(page).getByText("#").first().waitFor();
}

/** Types a command into the terminal that has the focus. */
export async function run(page: Page, command: string): Promise<void> {
  await page.keyboard.type(`${command}\n`);
}
