// Sessions that end while other tabs are open, or become those of somebody else.
import { configMaps, enter, expect, test } from "../harness/people.ts";
import { live, liveness, ready } from "../harness/live.ts";
import { whole } from "../harness/editor.ts";
import { configMap } from "../harness/stage.ts";
import { apply, asked, manifest, write } from "../harness/typing.ts";

test("signing out in one tab is said in the others", async ({ signIn }) => {
  const page = await signIn("kim", configMaps("team-a"));
  await live(page);
  const other = await page.context().newPage();
  await other.goto("/c/practice/-/whoami");
  await ready(other);
  await other.getByRole("button", { name: "Sign out" }).click();
  await expect(other.getByRole("heading", { level: 1 })).toHaveText("Signed out");
  await expect(asked(page)).toContainText("You’re signed out", { timeout: 60_000 });
  await expect(liveness(page)).toContainText("signed out");
});

test("somebody else signs in, in the same browser, and finds nothing of the former person", async ({ signIn }) => {
  const path = configMaps("team-a");
  await configMap("team-a", "a-private-name");
  const former = await signIn("lea", path);
  await live(former);
  const context = former.context();
  const editor = await context.newPage();
  await editor.goto(apply);
  await ready(editor);
  await write(editor, manifest("draft-of-lea"));
  await expect.poll(() => editor.evaluate(() => JSON.stringify(localStorage))).toContain("draft-of-lea");
  const leaving = await context.newPage();
  await leaving.goto(`${path}/a-private-name`);
  await ready(leaving);
  await leaving.getByRole("button", { name: "Sign out" }).click();
  await expect(leaving.getByRole("heading", { level: 1 })).toHaveText("Signed out");
  await leaving.goBack();
  await expect(leaving.locator("body")).not.toContainText("a-private-name");

  const next = await signIn("joe", "/c/practice/-/requests", { context });
  await ready(next);
  await expect(next.locator("#main")).toContainText("GET");
  await expect(next.locator("body")).not.toContainText("a-private-name");
  // The tabs that the former person left open load again.
  await expect(former.locator("header .account")).toContainText("team:joe", { timeout: 60_000 });
  await expect(former.locator("body")).not.toContainText("a-private-name");
  await expect(former.locator("body")).not.toContainText("team:lea");
  await expect(editor.locator("header .account")).toContainText("team:joe", { timeout: 60_000 });
  await ready(editor);
  expect(await whole(editor)).not.toContain("draft-of-lea");
});

test("somebody else signs in without a sign-out before: open tabs of the former person load again", async ({ signIn, stage }) => {
  const former = await signIn("una", configMaps("team-a"));
  await live(former);
  const page = await former.context().newPage();
  await page.goto(`${configMaps("team-a")}/kube-root-ca.crt`);
  await ready(page);
  await page.goto("/-/sign-in");
  await expect(page.locator("#main")).toContainText("You are signed in as team:una.");
  await page.getByRole("link", { name: "Sign in again with dex" }).click();
  await enter(page, "ida");
  await page.waitForURL(`${stage.origin}/`);
  await expect(former.locator("header .account")).toContainText("team:ida", { timeout: 60_000 });
  await page.goto("/c/practice/-/requests");
  await ready(page);
  await expect(page.locator("#main")).toContainText("GET");
  await expect(page.locator("#main")).not.toContainText("kube-root-ca.crt");
});
