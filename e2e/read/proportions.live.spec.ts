// How much of the window an object gets: the head stays low, however long a name is, however many managers and bad conditions there are.
import { type Page } from "@playwright/test";
import { expect, openLive, test } from "../harness/live.ts";

const least = 34; // lines of an object at 1400 × 900

/** How many lines of the object can be seen whole. */
const linesInSight = (page: Page): Promise<number> =>
  page.locator(".code").evaluate((document) => {
    const room = document.getBoundingClientRect();
    return [...document.querySelectorAll("li[id^=line-]")].filter((line) => {
      const at = line.getBoundingClientRect();
      return at.top >= room.top && at.bottom <= Math.min(room.bottom, innerHeight);
    }).length;
  });

test.use({ viewport: { width: 1400, height: 900 } });

test("an object has room for its lines, with a long name, six managers and three bad conditions", async ({ page, api, namespace, shot }) => {
  const group = `${namespace}.proportions.example.com`;
  const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  const anything = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  await api.create(definitions, {
    metadata: { name: `beds.${group}` },
    spec: {
      group, scope: "Cluster", names: { plural: "beds", singular: "bed", kind: "Bed", listKind: "BedList" },
      versions: [{ name: "v1", served: true, storage: true, subresources: { status: {} }, schema: { openAPIV3Schema: { type: "object", properties: { spec: anything, status: anything } } } }],
    },
  });
  const name = ("a-very-long-name-of-a-bed-".repeat(10) + "x".repeat(253)).slice(0, 253);
  const path = `/apis/${group}/v1/beds/${name}`;
  try {
    for (const [i, manager] of ["gitops", "autoscaler", "kubectl-edit", "security-scanner", "cost-labels", "the-team"].entries()) {
      const bed = JSON.stringify({ apiVersion: `${group}/v1`, kind: "Bed", metadata: { name }, spec: { [manager]: Object.fromEntries([...Array(8).keys()].map((n) => [`field${n}`, i])) } });
      await expect.poll(() => api.apply(path, bed, manager).then(() => "applied", String)).toBe("applied");
    }
    const conditions = ["Ready", "Synced", "Healthy"].map((type) => ({
      type, status: "False", reason: `${type}HasNotHappened`, message: `Nothing has come of ${type} so far, because the controller waits for water, light and somebody who weeds. `.repeat(4), lastTransitionTime: "2026-11-01T00:00:00Z",
    }));
    const answer = await api.fetch(`${path}/status`, { method: "PATCH", headers: { "Content-Type": "application/merge-patch+json" }, body: JSON.stringify({ status: { conditions } }) });
    expect(answer.status).toBe(200);
    for (const query of ["", "?field=.spec.gitops.field1", "?tab=yaml"]) {
      await openLive(page, `/c/practice${path}${query}`);
      await expect(page.locator(".chips .chip-words"), "the bad ones say why").toHaveCount(3);
      expect.soft(await linesInSight(page), `lines in sight with ${query}`).toBeGreaterThanOrEqual(least);
    }
    await page.locator(".chips summary").first().click();
    await expect(page.locator(".chip-more").first()).toBeInViewport({ ratio: 1 });
    await expect(page.locator(".chip-more").first()).toContainText("somebody who weeds");
    await shot("proportions-long");
    await openLive(page, "/c/practice/apis/apps/v1/namespaces/shop/deployments/storefront");
    expect(await linesInSight(page), "lines in sight of storefront").toBeGreaterThanOrEqual(least);

    // On a phone, the object comes first, and who owns it stands below.
    await page.setViewportSize({ width: 390, height: 844 });
    const [lines, owners] = await Promise.all([page.locator(".code").boundingBox(), page.locator(".owner-table").boundingBox()]);
    expect(owners!.y).toBeGreaterThanOrEqual(lines!.y + lines!.height);
    expect(await page.evaluate(() => document.documentElement.scrollWidth), "nothing makes the page wider").toBeLessThanOrEqual(390);

    // The card of a chosen line lies below the line, and both are in sight.
    const line = page.locator("#lines > li").nth(23);
    await line.click();
    const card = page.locator(".explained");
    await expect(card).toBeInViewport();
    await expect
      .poll(async () => {
        const [at, below] = await Promise.all([line.boundingBox(), card.boundingBox()]);
        return at!.y > 78 && at!.y + at!.height <= below!.y;
      }, "the chosen line is above its card")
      .toBe(true);
    await card.getByRole("link", { name: "Close" }).click();
    await expect(card).toBeHidden();
  } finally {
    await api.delete(`${definitions}/beds.${group}`);
  }
});
