// With --read-only, deletions, hand-overs and the ways to stop a fight can only be dry-run.
import { mkdirSync } from "node:fs";
import { start } from "../harness/fieldmark.ts";
import { expect, ready, test } from "../harness/live.ts";
import { signIn } from "../harness/session.ts";
import { recall } from "../harness/shared.ts";

test.use({ storageState: { cookies: [], origins: [] } });

test("dry runs pass, and the buttons say why they are disabled", async ({ page, api, namespace }, info) => {
  const path = `/api/v1/namespaces/${namespace}/configmaps/kept`;
  await api.apply(path, JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "kept" }, data: { a: "1" } }), "ada");
  const home = info.outputPath("home");
  mkdirSync(home);
  const careful = await start({ args: ["--practice", "off", "--read-only"], kubeconfig: recall().practice, home, log: info.outputPath("fieldmark.log"), patience: 60_000 });
  try {
    await signIn(page, careful.link);
    const slug = "practice"; // the kubeconfig's context of this name: no practice cluster runs here
    const tool = (name: string, more = "") => `${careful.origin}/c/${slug}/-/${name}?path=${path}${more}`;
    await page.goto(tool("delete"));
    await ready(page);
    await expect(page.locator("#verdict")).toContainText("The object is deleted at once.");
    await expect(page.locator("#unready")).toContainText("--read-only");
    await expect(page.getByRole("button", { name: "Delete" })).toBeDisabled();
    await page.goto(tool("assist", "&do=clear"));
    await ready(page);
    await expect(page.locator("#step-0")).toHaveAttribute("data-state", "ready");
    await expect(page.locator("#unready")).toContainText("--read-only");
    await expect(page.getByRole("button", { name: /^Send/ })).toBeDisabled();
    await api.apply(path, JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "kept" }, data: { a: "1" } }), "ben");
    await page.goto(tool("assist", "&do=stop-fight&field=.data.a"));
    await ready(page);
    await expect(page.locator(".way").first()).toContainText("# delete this field");
    await expect(page.locator(".way").first()).toContainText("Tried as a dry run");
    await page.getByRole("link", { name: "Choose: ada gives the field up" }).click();
    await expect(page.locator("#unready")).toContainText("--read-only");
    await expect(page.getByRole("button", { name: /^Send/ })).toBeDisabled();
    await page.goto(tool("act", "&act=label&pairs=a%3Db"));
    await ready(page);
    await expect(page.locator(".act-steps")).toContainText("dry run passed");
    await expect(page.locator("#unready")).toContainText("--read-only");
    await expect(page.getByRole("button", { name: "Label" })).toBeDisabled();
    expect((await api.get(path)).metadata["managedFields"]).toHaveLength(2);
  } finally {
    await page.goto("about:blank"); // that its server goes is none of the page's business
    await careful.stop();
  }
});
