// Ten thousand rows: the page has all of them, lays out a few, and keeps each live. Also a tab that sleeps while rows arrive,
// so more events occur than may wait for it.
import { toField } from "../harness/keyboard.ts";
import { type Api, eventually } from "../harness/api.ts";
import { rows } from "../harness/look.ts";
import { slowly } from "../harness/network.ts";
import { asleep, expect, live, liveness, openLive, ready, row, test } from "../harness/live.ts";

const scenarios = "/apis/practice.fieldmark.dev/v1alpha1/scenarios";
const count = 10_050; // past what may wait for a page

/** Waits until the Scenario has its state. */
const holds = (api: Api, name: string) =>
  eventually(`Scenario ${name}`, 120_000, async () => {
    const { status } = await api.get(`${scenarios}/${name}`);
    const condition = status?.conditions?.find(({ type }: { type: string }) => type === "Holds");
    return condition?.status === "True" ? undefined : (condition?.message ?? "any status");
  });

/** Uses up the credit of a sleeping page, so all further events wait. */
async function useUp(api: Api, path: string): Promise<void> {
  for (let n = 0; n < 80; n++) {
    await api.create(path, { metadata: { name: "brief" } });
    await api.delete(`${path}/brief`);
  }
}

test("10,000 rows", async ({ page, api, namespace }) => {
  test.setTimeout(180_000);
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  const fill = { namespace, kind: "ConfigMap", count };
  const sleeper = await page.context().newPage();
  await openLive(sleeper, `/c/practice${path}`);
  const wake = await asleep(sleeper);
  await useUp(api, path);
  await api.create(scenarios, { apiVersion: "practice.fieldmark.dev/v1alpha1", kind: "Scenario", metadata: { name: namespace }, spec: { faults: [{ name: "many", fill }] } });
  try {
    await holds(api, namespace);
    const all = (await api.list(path)).length;

    await test.step("a tab that slept meanwhile gets all of it anew, and says so", async () => {
      await wake();
      await expect(liveness(sleeper)).toContainText("live again: there were too many events, so Fieldmark fetched everything again", { timeout: 30_000 });
      await expect(sleeper.getByRole("heading", { level: 1 })).toContainText(`${all.toLocaleString("en")} objects`);
      await sleeper.close();
    });

    await test.step("the first chunk at once, the rest after it", async () => {
      await page.goto(`/c/practice${path}`);
      await slowly(page, { latency: 20, throughput: 150_000 }, async () => {
        await ready(page);
        await expect(liveness(page)).toContainText(/catching up, [\d,]+ of 10,05\d/);
        await expect(liveness(page).getByRole("progressbar")).toBeVisible();
        await expect(rows(page).first()).toBeVisible();
      });
      await live(page);
      await expect(page.getByRole("heading", { level: 1 })).toContainText(`${all.toLocaleString("en")} objects`);
      expect(await rows(page).count(), "rows that are laid out").toBeLessThan(150);
    });

    await test.step("to the end and back", async () => {
      await page.keyboard.press("G");
      await expect(row(page, `many-${count}`)).toBeInViewport();
      await expect(row(page, `many-${count}`).getByRole("link")).toBeFocused();
      await page.locator("#rows").evaluate((element) => (element.scrollTop = 29 * 5000));
      await expect(rows(page).filter({ hasText: "many-05010" })).toBeInViewport();
      await page.keyboard.press("g");
      await expect(rows(page).first()).toBeInViewport();
    });

    await test.step("sorted and found among all", async () => {
      await page.locator('th[data-column="Name"]').getByRole("link").click();
      await page.locator('th[data-column="Name"]').getByRole("link").click();
      await expect(rows(page).first()).toHaveAttribute("data-name", `many-${count}`);
      await page.keyboard.press("/"); // no wait: what is typed next is for the filter, however busy the program is with 10,000 rows
      await page.keyboard.type("many-07777");
      await expect(rows(page)).toHaveCount(1);
      await expect(page.locator(".foot")).toContainText(`1 of ${all.toLocaleString("en")} rows`);
      await page.keyboard.press("Escape");
      await page.keyboard.press("Escape");
    });

    await test.step("alive", async () => {
      await api.create(path, { metadata: { name: "zz-last" } });
      await page.mouse.move(2, 2);
      await expect(rows(page).first()).toHaveAttribute("data-name", "zz-last");
      await api.delete(`${path}/zz-last`);
      await expect(rows(page).first()).toHaveAttribute("data-name", `many-${count}`);
    });

    await test.step("what is looked at stays where it is", async () => {
      await page.locator('th[data-column="Name"]').getByRole("link").click(); // the server's order again
      await expect(rows(page).first()).not.toHaveAttribute("data-name", `many-${count}`);
      await page.locator("#rows").evaluate((element) => (element.scrollTop = 29 * 5000));
      const looked = row(page, "many-05010");
      await looked.getByRole("link").focus();
      const before = await looked.boundingBox();
      for (let n = 0; n < 60; n++) await api.create(path, { metadata: { name: `aa-${n}` } }); // more than are laid out above
      await expect(page.locator(".foot")).toContainText(`${(all + 60).toLocaleString("en")} rows`);
      expect(await looked.boundingBox()).toEqual(before);
      await expect(looked.getByRole("link")).toBeFocused();
    });

    await test.step("known to the palette", async () => {
      await toField(page, "Control+k");
      await page.keyboard.type("many-04242");
      await expect(page.locator('[role="option"][aria-selected="true"]')).toContainText("many-04242");
      await page.keyboard.press("Enter");
      await expect(page).toHaveURL(`/c/practice${path}/many-04242`);
      await openLive(page, `/c/practice${path}/many-04242`);
    });
  } finally {
    await api.delete(`${scenarios}/${namespace}`);
  }
});
