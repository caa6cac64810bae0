// A tab that sleeps: its script stops, while the cluster changes. When the tab wakes, it shows the current state.
import { type Page } from "@playwright/test";
import { type Api } from "../harness/api.ts";
import { rows } from "../harness/look.ts";
import { asleep, born, expect, liveness, openLive, row, type Tap, test } from "../harness/live.ts";

const merge = { method: "PATCH", headers: { "Content-Type": "application/merge-patch+json" } };

/** Writes more changes than the page has credit for: objects are created, changed and deleted. */
async function goOn(api: Api, path: string): Promise<void> {
  for (let n = 0; n < 40; n++) {
    await api.create(path, { metadata: { name: `new-${n}` } });
    await api.fetch(`${path}/new-${n}`, { ...merge, body: '{"data":{"one":"1","two":"2"}}' });
    if (n % 2) await api.delete(`${path}/new-${n - 1}`);
  }
  await api.delete(`${path}/old`);
}

/** Names and data of all objects, from the cluster. */
async function truth(api: Api, path: string): Promise<string[]> {
  const all = await api.list(path);
  return all.map(({ metadata, data }) => `${metadata.name} ${Object.keys(data ?? {}).length}`).sort();
}

/** The same, from the page. */
const shown = async (page: Page): Promise<string[]> =>
  (await rows(page).evaluateAll((all) => all.map((one) => `${one.dataset["name"]} ${one.querySelectorAll("td")[1]?.textContent?.trim()}`))).sort();

/** Lets the page sleep through what goes on, and expects it to show what is when it wakes. */
async function sleepThrough(page: Page, api: Api, namespace: string, tap?: Tap): Promise<void> {
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  await api.create(path, { metadata: { name: "old" } });
  await openLive(page, `/c/practice${path}`);
  await page.mouse.move(2, 2); // over the table, rows would be held
  const document = await born(page);

  const wake = await asleep(page);
  if (tap) tap.tamper = () => undefined;
  await goOn(api, path);
  await wake();
  await tap?.cut(); // a page that sleeps learns of it when it wakes
  if (tap) tap.tamper = (message) => message;

  await expect(row(page, "new-39")).toBeVisible();
  await expect.poll(() => shown(page)).toEqual(await truth(api, path));
  await expect(liveness(page), "nothing was lost").toHaveText("live");
  expect(await born(page)).toBe(document);
}

test("a tab that slept shows the current state", ({ page, api, namespace }) => sleepThrough(page, api, namespace));

test("a tab that slept while its connection was cut shows the current state", ({ page, api, namespace, tap }) => sleepThrough(page, api, namespace, tap));
