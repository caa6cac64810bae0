// A kubeconfig that changes while Fieldmark runs: contexts are added and removed, and pages of unchanged contexts continue.
import { execFileSync } from "node:child_process";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Page } from "@playwright/test";
import { root } from "../harness/fieldmark.ts";
import { announced, born, expect, live, liveness, openLive } from "../harness/live.ts";
import { recall } from "../harness/shared.ts";
import { signIn } from "../harness/session.ts";
import { test } from "../harness/started.ts";

test.use({ storageState: { cookies: [], origins: [] } });

const names = (page: Page): Promise<string[]> => page.locator("[data-cluster]").evaluateAll((all) => all.map((one) => (one as HTMLElement).dataset["cluster"]!));

/** Loads the page of clusters until it shows these. */
const shows = (page: Page, ...clusters: string[]): Promise<void> =>
  expect(async () => {
    await page.reload();
    expect(await names(page)).toEqual(clusters);
  }).toPass();

// For a while the page has the credentials of the viewer, who may read no figures.
test.use({ provoked: /^403 for \S+metrics\.k8s\.io\S*$/ });

test("a kubeconfig that changes is read again", async ({ page, home, own }) => {
  test.setTimeout(120_000);
  const file = join(home, "config");
  copyFileSync(recall().practice, file);
  const kubectl = (...args: string[]): Buffer => execFileSync(join(root, "bin", "kubectl"), ["config", "--kubeconfig", file, ...args]);
  const { users } = JSON.parse(kubectl("view", "--output=json").toString()) as { users: { name: string }[] };
  const viewer = users.find(({ name }) => name.includes("viewer"))!.name;

  const { origin, link } = await own("--practice", "off", "--kubeconfig", file);
  await signIn(page, link);
  // No practice cluster runs here, so that the context of this name has the address of this name.
  expect(await names(page)).toEqual(["practice", "practice-viewer"]);
  const other = await page.context().newPage();
  await other.goto(origin);
  await openLive(page, `${origin}/c/practice/api/v1/namespaces/shop/pods`);
  const document = await born(page);
  const goesOn = async (): Promise<void> => {
    await expect(liveness(page)).toHaveText("live");
    expect(await announced(page)).toEqual([]);
    expect(await born(page)).toBe(document);
  };

  const [cluster] = JSON.parse(kubectl("view", "--output=json").toString()).clusters;
  kubectl("set-context", "later", `--cluster=${cluster.name}`, `--user=${viewer}`);
  await shows(other, "later", "practice", "practice-viewer");
  await other.goto(`${origin}/c/later/api/v1/namespaces/shop/pods`);
  await expect(other.locator("tr[data-uid]").first()).toBeVisible();
  await goesOn();

  const whole = readFileSync(file, "utf8");
  writeFileSync(file, whole.slice(0, whole.length / 2) + "\n}{");
  await other.goto(origin);
  await expect(async () => {
    await other.reload();
    await expect(other.getByText("Fieldmark can’t read the kubeconfig now")).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await expect.poll(() => names(other)).toEqual(["later", "practice", "practice-viewer"]);
  await openLive(other, `${origin}/c/later/api/v1/namespaces/shop/pods`);
  await expect(other.getByText("Fieldmark can’t read the kubeconfig now"), "on a page of a cluster").toBeVisible();
  await other.goto(origin);
  await goesOn();
  writeFileSync(file, whole);

  kubectl("delete-context", "later");
  await shows(other, "practice", "practice-viewer");
  await expect(other.getByText("Fieldmark can’t read the kubeconfig now")).toBeHidden();
  await other.goto(`${origin}/c/later`);
  await expect(other.getByText("There is no cluster")).toBeVisible();
  await goesOn();

  kubectl("set-context", "practice", `--user=${viewer}`);
  await expect(liveness(page)).toContainText("live again: Fieldmark fetched everything again");
  await live(page);
  expect(await born(page)).toBe(document);
  await other.goto(`${origin}/c/practice/api/v1/nodes`);
  await expect(other.getByText(/You don’t have permission to list nodes/).first()).toBeVisible();
});
