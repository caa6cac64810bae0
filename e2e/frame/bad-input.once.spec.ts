// Wrong input in addresses and forms: each leads to a page that says what is wrong.
import { request as send } from "node:http";
import { notice } from "../harness/look.ts";
import { expect, test } from "../harness/test.ts";

test("a cluster that isn't there", async ({ page }) => {
  expect((await page.goto("/c/nosuch/api/v1/pods"))?.status()).toBe(404);
  await expect(notice(page)).toContainText('There is no cluster "nosuch"');
  await page.getByRole("link", { name: "Choose a cluster" }).click();
  await expect(page).toHaveURL("/");
});

test("an address that isn't there", async ({ page }) => {
  for (const path of ["/nosuch", "/c", "/c/practice/-/nosuch"]) {
    expect((await page.goto(path))?.status(), path).toBe(404);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  }
});

test("paths that could be read in two ways", async ({ page }) => {
  for (const path of ["/c/practice/api%2fv1/pods", "/c/practice/api/v1/pods%252f", "/c/practice/api/v1//pods", "/c/practice/api/v1/pods;x=1"]) {
    expect((await page.goto(path))?.status(), path).toBe(400);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  }
});

test("dots in a path, which browsers tidy up and other clients don't", async ({ fieldmark }) => {
  for (const path of ["/c/practice/api/v1/../v1/pods", "/c/practice/%2e%2e/practice", "/clusters/practice/api/v1/../../apis"]) {
    const { status, body } = await raw(fieldmark.origin, path, { Authorization: `Bearer ${fieldmark.token}`, Accept: "text/html" });
    expect(status, path).toBe(400);
    expect(body).toContain("This URL is ambiguous");
  }
});

/** One GET whose path is sent unchanged. */
function raw(origin: string, path: string, headers: Record<string, string>): Promise<{ status: number; body: string }> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const request = send({ hostname, port, path, headers }, (response) => {
      let body = "";
      response.setEncoding("utf8");
      response.on("data", (piece: string) => (body += piece));
      response.on("end", () => resolve({ status: response.statusCode ?? 0, body }));
    });
    request.on("error", reject);
    request.end();
  });
}

test("queries that make no sense are taken as if they weren't there", async ({ page }) => {
  for (const query of ["limit=-1", "limit=ten", "wide=2", "sort=No+such+column", "tab=nosuch", "nosuch=1"]) {
    expect((await page.goto(`/c/practice/api/v1/namespaces/shop/pods?${query}`))?.status(), query).toBe(200);
    await expect(page.locator("tr[data-uid]").first()).toBeVisible();
  }
});

test("a continue token that is none", async ({ page }) => {
  expect((await page.goto("/c/practice/api/v1/pods?limit=5&continue=nonsense"))?.status()).toBe(400);
  await expect(notice(page).locator(".quoted")).toContainText("continue");
});

test("the printed link a second time, in another browser and in the same", async ({ page, browser, fieldmark }) => {
  const stranger = await browser.newContext({ javaScriptEnabled: false, storageState: { cookies: [], origins: [] } });
  const theirs = await stranger.newPage();
  expect((await theirs.goto(fieldmark.link))?.status()).toBe(401);
  await expect(theirs.locator("main")).toContainText("This link no longer works");
  await expect(theirs.locator("main"), "where the token is").toContainText("FIELDMARK_TOKEN");
  await theirs.getByLabel("Launch token").fill("not the token");
  await theirs.getByRole("button", { name: "Sign in" }).click();
  await expect(theirs.locator("main"), "a wrong token is said to be one").toContainText("This launch token is wrong");
  await theirs.getByLabel("Launch token").fill(fieldmark.token);
  await theirs.getByRole("button", { name: "Sign in" }).click();
  await expect(theirs.getByRole("heading", { level: 1 })).toHaveText("Fieldmark");
  await stranger.close();

  expect((await page.goto(fieldmark.link))?.status(), "who is signed in is not bothered").toBe(200);
  await expect(page).toHaveURL("/");
});

test("responses of the API are inert in a browser", async ({ page }) => {
  const answer = await page.goto("/clusters/practice/api/v1/namespaces/platform/configmaps/untrusted-text");
  const headers = await answer!.allHeaders();
  expect(headers["content-type"]).toBe("application/json");
  expect(headers["x-content-type-options"]).toBe("nosniff");
  expect(headers["content-security-policy"]).toContain("sandbox");
  await expect(page.locator("body")).toContainText('"untrusted-text"');
  await expect(page.locator("script, img")).toHaveCount(0);
});
