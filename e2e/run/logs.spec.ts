// Logs without scripts: the last lines of all containers of an object, and why there are none.
import { eventually } from "../harness/api.ts";
import { notice } from "../harness/look.ts";
import { expect, test } from "../harness/test.ts";

const storefront = "/c/practice/apis/apps/v1/namespaces/shop/deployments/storefront?tab=logs";

test("the pods of a Deployment together, in the order of their times", async ({ page, shot }) => {
  await page.goto(storefront);
  const rows = page.locator(".log-grid tbody tr");
  await expect(rows.first()).toBeVisible();
  expect(await rows.count()).toBeLessThanOrEqual(500);
  expect(new Set(await rows.locator(".log-who").allInnerTexts()).size, "pods with lines").toBe(3);
  const times = (await rows.locator(".log-time a").evaluateAll((links) => links.map((link) => (link as HTMLElement).title.slice(0, 23)))) as string[];
  expect(times).toEqual([...times].sort());
  await shot("logs-no-scripts");

  await page.locator("#filter").fill("healthz");
  await page.getByRole("button", { name: "Show" }).click();
  await expect(page).toHaveURL(/tab=logs.*filter=healthz|filter=healthz.*tab=logs/);
  for (const text of await rows.locator(".log-text").allInnerTexts()) expect(text).toContain("healthz");
});

test("a pod that waits says why, and the subresource leads to the view", async ({ page, api, namespace }) => {
  const pods = `/api/v1/namespaces/${namespace}/pods`;
  await api.create(pods, {
    metadata: { name: "waiter", annotations: { "practice.fieldmark.dev/waiting": "ImagePullBackOff" } },
    spec: { containers: [{ name: "app", image: "example.com/nothing:1" }] },
  });
  await eventually("the pod waits", 60_000, async () => {
    const { status } = await api.get(`${pods}/waiter`);
    return status?.containerStatuses?.[0]?.state?.waiting?.reason === "ImagePullBackOff" ? undefined : JSON.stringify(status);
  });
  await page.goto(`/c/practice${pods}/waiter/log`);
  await page.getByRole("link", { name: "Show the logs" }).click();
  await expect(notice(page)).toContainText("ImagePullBackOff");
  await page.goto(`/c/practice${pods}/waiter?tab=logs&previous=true`);
  await expect(notice(page)).toContainText("There is no log of a previous run");
});

test("without permission, the page names the verb and the resource", async ({ page }) => {
  await page.goto(storefront.replace("/c/practice/", "/c/practice-viewer/"));
  await expect(notice(page)).toContainText("You need permission for the verb get on the resource pods/log.");
  await expect(page.getByText("no permission to get pods/log").first()).toBeVisible();
});
