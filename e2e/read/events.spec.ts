// The cluster's events, grouped.
import { notice } from "../harness/look.ts";
import { expect, test } from "../harness/test.ts";

const events = "/c/practice/-/events";

test("events are grouped by object and reason, and lead to their objects", async ({ page, api, namespace }) => {
  const now = new Date().toISOString();
  const event = (name: string, type: string, message: string) => ({
    apiVersion: "v1",
    kind: "Event",
    metadata: { name, namespace },
    involvedObject: { apiVersion: "v1", kind: "Pod", name: "grouped", namespace },
    reason: type === "Warning" ? "BackOff" : "Pulled",
    type,
    message,
    count: 3,
    firstTimestamp: now,
    lastTimestamp: now,
    source: { component: "e2e" },
  });
  for (const one of [event("a", "Normal", "pulled it"), event("b", "Warning", "first words"), event("c", "Warning", "a message that is long enough to need its whole place")]) {
    await api.create(`/api/v1/namespaces/${namespace}/events`, one);
  }
  await page.goto("/c/practice");
  await page.getByRole("link", { name: "All events, by object" }).click();
  await expect(page).toHaveURL(events);
  await page.getByRole("combobox", { name: "Namespace" }).selectOption(namespace);
  await page.getByRole("button", { name: "Show", exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`namespace=${namespace}`));
  const rows = page.locator("tr[data-reason]");
  await expect(rows).toHaveCount(2);
  await expect(rows.first(), "warnings come first").toContainText("BackOff");
  await expect(rows.first()).toContainText("6");
  await expect(rows.first()).toContainText("and 1 other message");
  await page.getByLabel("Only warnings").check();
  await page.getByRole("button", { name: "Show", exact: true }).click();
  await expect(rows).toHaveCount(1);
  await expect(rows.getByRole("link", { name: "pod/grouped" })).toHaveAttribute("href", `/c/practice/api/v1/namespaces/${namespace}/pods/grouped?tab=events`);
  await expect(page.locator(".foot")).toContainText("Fieldmark read 2 Events");
  await page.getByRole("link", { name: "All Events as a list" }).click();
  await expect(page.locator("tr[data-uid]")).toHaveCount(2);
  await expect(page.locator("tr[data-uid]").first().getByRole("link", { name: "pod/grouped" }), "a row leads to its object").toBeVisible();
});

test("without permission, the page says so and offers namespaces", async ({ page }) => {
  expect((await page.goto("/c/practice-viewer/-/events"))?.status()).toBe(403);
  await expect(notice(page)).toContainText("You don’t have permission to list events in the whole cluster");
  await expect(notice(page)).toContainText("choose a namespace above");
});
