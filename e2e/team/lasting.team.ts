// Tests that wait for tokens and watches to end. The name of this file comes first, so that they begin first, and the others run beside them.
import { begun, configMaps, enter, expect, test } from "../harness/people.ts";
import { live, ready, row } from "../harness/live.ts";
import { whole } from "../harness/editor.ts";
import { admin, configMap, disturb } from "../harness/stage.ts";
import { applies, apply, asked, manifest, write } from "../harness/typing.ts";

test("a page lives longer than its tokens, while somebody types", async ({ signIn, stage }) => {
  const page = await signIn("hal", apply);
  const list = await signIn("sue", configMaps("team-a"));
  await Promise.all([ready(page), live(list)]);
  await write(page, manifest("typed-slowly"));
  const born = await page.evaluate(() => performance.timeOrigin);
  const end = Date.now() + 2 * stage.tokens;
  for (let i = 0; Date.now() < end; i++) {
    await configMap("team-a", `life-${i}`);
    await expect(row(list, `life-${i}`)).toBeVisible();
    await expect(asked(page)).toBeEmpty();
    await page.waitForTimeout(3_000); // the test is about a time: two lives of a token
  }
  expect(await page.evaluate(() => performance.timeOrigin), "the document was not loaded again").toBe(born);
  expect(await whole(page)).toContain("typed-slowly");
  await applies(page).click();
  await expect(row(list, "typed-slowly")).toBeVisible();
});

test("an administrator views the cluster as somebody else, and the page lives longer than a token", async ({ signIn, stage }) => {
  const page = await signIn("nora", "/c/practice/-/whoami");
  await page.locator(".view-as input").nth(1).fill("team:ben");
  await page.locator(".view-as input").nth(2).fill("team:team-b");
  await page.getByRole("button", { name: "View as this user" }).click();
  await expect(page.locator("#viewing")).toContainText("You view this cluster as team:ben");
  await page.goto(configMaps("team-b"));
  await live(page);
  const end = Date.now() + 1.5 * stage.tokens;
  for (let i = 0; Date.now() < end; i++) {
    await configMap("team-b", `viewed-${i}`);
    await expect(row(page, `viewed-${i}`)).toBeVisible({ timeout: 10_000 });
    await page.waitForTimeout(3_000); // the test is about a time: longer than a token
  }
  await page.goto("/c/practice/api/v1/namespaces/team-a/secrets");
  await expect(page.locator("#main")).toContainText("You don’t have permission to list secrets");
  await page.getByRole("button", { name: "Stop" }).click();
  await expect(page.locator("#viewing")).toHaveCount(0);
});

test("the issuer doesn’t respond: signing in says so, and an open page continues when the issuer is back", async ({ signIn, newcomer }) => {
  const second = configMaps("team-a").replace("practice", "second");
  const open = await signIn("emil", second);
  await live(open);
  const page = await (await newcomer()).newPage();
  await page.goto(second);
  const state = await begun(page);
  await disturb("issuers/frail/down");
  try {
    await page.goto(`/-/sign-in/callback?code=any&state=${state}`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Signing in failed");
    await expect(page.locator("#main")).toContainText("it can’t be reached");
    await expect(open.locator("#signed-out")).toContainText("can’t be reached", { timeout: 40_000 });
  } finally {
    await disturb("issuers/frail/up");
  }
  await expect(open.locator("#signed-out")).toBeEmpty({ timeout: 30_000 });
  await live(open);
});

test("a refresh token is revoked while somebody types: the page asks to sign in again, and keeps what was typed", async ({ signIn }) => {
  const page = await signIn("jon", apply);
  await ready(page);
  await write(page, manifest("kept-in-the-page", "Secret"));
  await disturb("issuers/main/revoke?person=jon");
  await expect(asked(page)).toContainText("You’re signed out", { timeout: 40_000 });
  await expect(asked(page)).toContainText("keeps what you typed");
  const [other] = await Promise.all([page.waitForEvent("popup"), asked(page).getByRole("link").click()]);
  await other.getByRole("link", { name: /^Sign in (again )?with/ }).first().click();
  await enter(other, "jon");
  await other.waitForURL(/-\/apply/);
  await expect(asked(page)).toBeEmpty({ timeout: 20_000 });
  expect(await whole(page)).toContain("kept-in-the-page");
  await applies(page).click();
  await expect(page.locator("#main")).toContainText("Created.");
});

test("a permission that is withdrawn is gone from the open page within half a minute", async ({ signIn }) => {
  const page = await signIn("tom", configMaps("team-c"));
  await live(page);
  await configMap("team-c", "while-allowed");
  await expect(row(page, "while-allowed")).toBeVisible();
  await admin("DELETE", "/apis/rbac.authorization.k8s.io/v1/namespaces/team-c/rolebindings/team");
  // Half a minute is promised; the machine may be busy.
  await expect(page.locator("#liveness")).toContainText("no longer updated", { timeout: 40_000 });
  await expect(page.locator("#liveness")).toContainText(/cannot (list|watch) resource/);
});
