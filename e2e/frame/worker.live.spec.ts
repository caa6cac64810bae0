// The page's program runs in a worker: it can end, and there is one for each kind of page.
import { type Page } from "@playwright/test";
import { rows } from "../harness/look.ts";
import { announced, born, expect, live, liveness, openLive, ready, row, test } from "../harness/live.ts";

const shop = "/c/practice/api/v1/namespaces/shop";
const heading = (page: Page) => page.getByRole("heading", { level: 1 });
const halted = (page: Page) => page.getByRole("alert").filter({ hasText: "This page is no longer updated." });

/** Throws an error in the worker that runs the page. */
const kill = (page: Page) => page.workers().at(-1)!.evaluate(() => queueMicrotask(() => { throw new Error("killed by the test"); }));

test.describe("a program that ends", () => {
  test.use({ provoked: /killed by the test|The program didn’t respond/ });

  test("is told and started again, but not again and again", async ({ page, api, namespace }) => {
    const path = `/api/v1/namespaces/${namespace}/configmaps`;
    await openLive(page, `/c/practice${path}`);
    const document = await born(page);
    await kill(page);
    await expect(page.locator(".told-briefly")).toContainText("stopped because of a bug, and was started again");
    await live(page);
    expect((await announced(page)).join()).toContain("was started again");
    await api.create(path, { metadata: { name: "afterwards" } });
    await expect(row(page, "afterwards"), "the page follows again").toBeVisible();
    await page.keyboard.press("j");
    await expect(rows(page).first().getByRole("link").first(), "its keys do something").toBeFocused();
    expect(await born(page), "the document stays").toBe(document);

    await kill(page);
    await expect(halted(page)).toContainText("Fieldmark’s program stopped because of a bug. You can still read this page.");
    await expect(liveness(page)).toHaveText("no longer live");
    await expect(rows(page).first()).toBeVisible();
    await rows(page).first().getByRole("link").first().click();
    await expect(heading(page), "links work as without a program").toContainText("afterwards");
    expect(await born(page)).not.toBe(document);
    await live(page);
  });

  test("without a word is missed, and started again", async ({ page }) => {
    await page.clock.install();
    await openLive(page, `${shop}/pods`);
    await page.workers().at(-1)!.evaluate(() => self.close());
    await page.clock.runFor(60_000);
    await expect(page.locator("html")).toHaveAttribute("data-wasm", "ready");
    await expect(page.locator("#announcer")).toContainText("was started again");
    await page.keyboard.press("?");
    await expect(page.getByRole("dialog", { name: "Keys and help" })).toBeVisible();
  });
});

test("pages of other programs open in the same document, and back is where one was", async ({ page }) => {
  await openLive(page, `${shop}/pods`);
  const document = await born(page);
  const first = rows(page).first().getByRole("link").first();
  const name = await first.innerText();
  await first.click();
  await expect(heading(page)).toContainText(name);
  await ready(page); // a page that never came is no step back
  await page.getByRole("navigation", { name: "Views of this object" }).getByRole("link", { name: "Logs" }).click();
  await expect(page).toHaveURL(/tab=logs/);
  await ready(page);
  await expect(page.locator("#main")).toBeFocused();
  await page.getByRole("navigation", { name: "Resource types" }).getByRole("link", { name: "Discovery" }).click();
  await expect(page).toHaveTitle("Discovery · Fieldmark");
  await expect(page.locator("#main")).toBeFocused();
  await expect(page.locator("#wire-newest"), "its requests are listed").toContainText(/GET|requests/);
  await page.goBack();
  await expect(page).toHaveURL(/tab=logs/);
  await expect(heading(page)).toContainText(name);
  await page.goBack();
  await expect(page).toHaveURL(new RegExp(`${name}$`));
  await live(page);
  await page.goBack();
  await expect(page).toHaveURL(`${shop}/pods`);
  await live(page);
  await expect(row(page, name)).toBeVisible();
  expect(await born(page), "no document was loaded").toBe(document);
});

test("eight hours of changes leave nothing behind", async ({ page, tap, api, namespace }) => {
  test.setTimeout(240_000);
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  for (let n = 0; n < 20; n++) await api.create(path, { metadata: { name: `stays-${n}` } });
  await openLive(page, `/c/practice${path}`);
  const merge = { method: "PATCH", headers: { "Content-Type": "application/merge-patch+json" }, body: '{"data":{"a":"1"}}' };
  await api.fetch(`${path}/stays-0`, merge);
  const sample = () => tap.heard.find(({ type, events }) => type === "events" && /\tstays-0\t/.test(events[0].row));
  await expect.poll(sample).toBeTruthy();
  const { id, gen, events: [{ row: line }] } = sample();
  const changing = (await api.list(path)).map(({ metadata }) => metadata).filter(({ name }) => name.startsWith("stays-"));

  let version = 1_000_000;
  /** The line of a row, in the form of the sample: with another identity, the next version, and another number of data. */
  const rowOf = (uid: string, name: string, count: number): string => {
    const [, inside, , , ...rest] = line.split("\t");
    return [uid, inside, name, ++version, ...rest.map((cell: string) => (cell === "stays-0" ? name : cell === "1" ? String(count) : cell))].join("\t");
  };
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable");

  /** What the document and its script hold, after the garbage is collected. */
  const held = async () => {
    await session.send("HeapProfiler.collectGarbage");
    const { metrics } = await session.send("Performance.getMetrics");
    const of = (name: string) => metrics.find((one) => one.name === name)!.value;
    return { nodes: of("Nodes"), listeners: of("JSEventListeners"), heap: of("JSHeapUsedSize") };
  };
  /** The memory of the program, in bytes. WebAssembly's never shrinks. */
  const memory = () => page.workers().at(-1)!.evaluate(() => (globalThis as unknown as { memory: WebAssembly.Memory }).memory.buffer.byteLength);

  /** A change each second for so many hours: of objects that stay, and of objects that come and go. */
  const hours = async (count: number) => {
    for (let minute = 0; minute < count * 60; minute++) {
      const events = [];
      for (let n = 0; n < 20; n++) {
        const { uid, name } = changing[n]!;
        const passing = `passing-${n}`;
        events.push({ type: "MODIFIED", row: rowOf(uid!, name, minute % 60) }, { type: "ADDED", row: rowOf(passing, passing, 0) }, { type: "DELETED", row: rowOf(passing, passing, 0) });
      }
      tap.say(JSON.stringify({ type: "events", id, gen, resourceVersion: String(version), events }));
      if (minute % 60 === 59) await expect(row(page, "stays-7").getByRole("cell").nth(1), "it is shown").toHaveText("59");
    }
  };
  await hours(2);
  const before = { ...(await held()), memory: await memory() };
  await hours(6);
  const after = { ...(await held()), memory: await memory() };
  expect(after.nodes).toBeLessThan(before.nodes * 1.2 + 500);
  expect(after.listeners).toBeLessThanOrEqual(before.listeners + 10);
  expect(after.heap).toBeLessThan(before.heap * 1.25 + 2_000_000);
  expect(after.memory).toBeLessThanOrEqual(before.memory * 1.25);
});
