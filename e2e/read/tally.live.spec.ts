// The number of an object's events, in the tab before it is opened.
import { expect, openLive, test } from "../harness/live.ts";

const views = { name: "Views of this object" };

test("the tab of the events has their number before it is opened", async ({ page }) => {
  const counts: string[] = [];
  page.on("request", (request) => {
    if (/\/clusters\/practice\/.*\/events\?/.test(request.url())) counts.push(request.url());
  });
  await openLive(page, "/c/practice/apis/apps/v1/namespaces/shop/deployments/storefront");
  const tab = page.getByRole("navigation", views).getByRole("link", { name: /^Events/ });
  await expect(tab).toHaveText(/^Events \(\d+\+?\)/);
  expect(counts, "one list, with a limit").toHaveLength(1);
  expect(counts[0]).toContain("limit=20");
});
