// The wire log: what a session causes is there as it happens, at the bottom of every page and on a page of its own.
import { readFileSync } from "node:fs";
import type { Locator, Page } from "@playwright/test";
import { wrongWith } from "../harness/har.ts";
import { announced, expect, live, ready, test } from "../harness/live.ts";
import { type Own, own } from "../harness/own.ts";

test.use({ storageState: { cookies: [], origins: [] } });
test.describe.configure({ timeout: 180_000 }); // each starts a Fieldmark of its own

const listed = (page: Page): Locator => page.locator("tr[data-request]");
const drawer = (page: Page): Locator => page.locator("details.wire");
const inDrawer = (page: Page): Locator => drawer(page).locator("li");
const entry = (page: Page): Locator => page.locator("#entry");

async function withOwn(page: Page, info: Parameters<typeof own>[1], work: (f: Own) => Promise<void>): Promise<void> {
  const f = await own(page, info);
  try {
    await work(f);
  } finally {
    await page.goto("about:blank"); // that its server goes is none of the page's business
    await f.stop();
  }
}

test("requests of the page, of its watches and of kubectl are shown immediately", async ({ page, api, namespace }, info) => {
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  await withOwn(page, info, async (f) => {
    await page.goto(f.page(path));
    await live(page);
    await expect(drawer(page).locator("summary")).toContainText("watch");
    await drawer(page).locator("summary").click();
    const watch = inDrawer(page).filter({ hasText: `${path}?` }).filter({ hasText: "watch" }).first();
    await expect(watch).toContainText("open");

    await test.step("events are counted while they flow", async () => {
      for (const name of ["anise", "basil", "chive"]) await api.create(path, { metadata: { name } });
      await expect(watch).toContainText(/[3-9] events/);
      await api.delete(`${path}/basil`);
      await expect(watch).toContainText(/[4-9] events/);
    });

    await test.step("kubectl, through Fieldmark", async () => {
      await f.kubectl("get", "configmaps", "--namespace", namespace);
      const asked = inDrawer(page).filter({ hasText: `list GET ${path}?limit=500` }).filter({ hasText: "Table" });
      await expect(asked.first()).toBeVisible();
    });

    await test.step("words choose among them", async () => {
      await page.getByLabel("Filter").last().fill("watch");
      await expect(inDrawer(page).filter({ hasNotText: "watch" })).toHaveCount(0);
      await expect(inDrawer(page).first()).toBeVisible();
      await page.getByLabel("Filter").last().fill("");
    });

    await test.step("nothing else of the page is touched", async () => {
      await expect(page.locator("main tbody tr[class]"), "what lit up for the events above has faded").toHaveCount(0);
      await page.locator("main").evaluate((main) => {
        const seen = ((globalThis as any).changes = [] as string[]);
        new MutationObserver((all) => seen.push(...all.map(({ target }) => target.nodeName))).observe(main.querySelector("table")!, { childList: true, subtree: true, attributes: true });
      });
      const places = () => page.evaluate(() => [...document.querySelectorAll("main, footer, details.wire, #wire-list")].map((element) => JSON.stringify(element.getBoundingClientRect())));
      const before = await places();
      for (let n = 0; n < 20; n++) await f.api.get(`/api/v1/namespaces/${namespace}`);
      await expect(inDrawer(page).filter({ hasText: `get GET /api/v1/namespaces/${namespace}` })).toHaveCount(20);
      expect(await places()).toEqual(before);
      expect(await page.evaluate(() => (globalThis as any).changes.filter((name: string) => name === "TR" || name === "TBODY"))).toEqual([]);
    });

    await test.step("with the keyboard, one leads to its page", async () => {
      const first = inDrawer(page).first().getByRole("link");
      await page.mouse.move(5, 5);
      await first.focus();
      await f.api.get(`/api/v1/namespaces/${namespace}?pretty=true`);
      await expect(inDrawer(page).first()).toContainText("pretty=true");
      await expect(inDrawer(page).nth(1).getByRole("link"), "what has the focus keeps it").toBeFocused();
      await page.keyboard.press("Enter");
      await expect(entry(page)).toContainText("namespaces");
      await expect(page).toHaveURL(/-\/requests\?entry=\d+$/);
    });
    expect(await announced(page), "nobody is told of each request").not.toContain(expect.stringContaining("GET"));
  });
});

test("a request opened: both sides, forms to copy, and the way to the console", async ({ page, namespace }, info) => {
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  await withOwn(page, info, async (f) => {
    await f.api.create(path, { metadata: { name: "dill" }, data: { a: "b" } });
    await f.kubectl("create", "configmap", "mint", "--namespace", namespace, "--from-literal", "a=b");
    await f.api.fetch(`${path}/nosuch`);
    await page.goto(f.page("/-/requests"));
    await live(page);
    const made = listed(page).filter({ hasText: "create" }).filter({ hasText: "/configmaps" });
    await made.first().getByRole("link").click(); // kubectl sends Protobuf
    await expect(entry(page).getByRole("region", { name: "Body of the Request" })).toHaveCount(0);
    await expect(entry(page)).toContainText("Not recorded: the body is binary, so Fieldmark can’t find credentials in it.");
    await made.last().getByRole("link").click();
    await expect(page).toHaveURL(/entry=\d+/);
    await expect(entry(page).getByRole("region", { name: "Body of the Request" })).toContainText('"a": "b"');
    await expect(entry(page).getByRole("region", { name: "Body of the Response" })).toContainText('"name": "dill"');
    await expect(entry(page)).toContainText("User-Agent");
    await expect(entry(page)).toContainText("201");
    for (const [form, words] of [["curl", "$FIELDMARK_TOKEN"], ["kubectl", "kubectl "], ["client-go", "client-go"]]) {
      const one = entry(page).locator(`[data-form="${form}"]`);
      await one.locator("summary").click();
      await expect(one.locator("pre")).toContainText(words!);
    }
    const console = new URL((await entry(page).getByRole("link", { name: "Send again" }).getAttribute("href"))!, f.origin);
    expect(console.pathname).toBe(`/c/${f.slug}/-/request`);
    expect(console.searchParams.get("method")).toBe("POST");
    expect(console.searchParams.get("path")).toContain(path);
    expect(JSON.parse(console.searchParams.get("body")!).metadata.name).toBe("dill");

    await test.step("raw, and without scripts the same", async () => {
      await entry(page).getByRole("link", { name: "Raw" }).click();
      await expect(entry(page).getByRole("region", { name: "Body of the Request" })).toContainText('"a":"b"');
      await page.reload();
      await expect(entry(page).getByRole("region", { name: "Body of the Request" })).toContainText('"a":"b"');
    });

    await test.step("keys go through them", async () => {
      await ready(page);
      await page.keyboard.press("Escape");
      await expect(entry(page)).toHaveCount(0);
      await page.keyboard.press("j");
      await expect(listed(page).first()).toHaveAttribute("aria-current", "true");
      await page.keyboard.press("j");
      await expect(listed(page).nth(1)).toHaveAttribute("aria-current", "true");
      await page.keyboard.press("Escape");
    });

    await test.step("filters, in the address too", async () => {
      await page.getByRole("combobox", { name: "Status" }).selectOption("4xx");
      await expect(listed(page)).toHaveCount(1);
      await expect(listed(page)).toContainText("nosuch");
      await expect(page).toHaveURL(/status=4xx/);
      await page.getByRole("combobox", { name: "Status" }).selectOption("any");
      await page.getByLabel("Origin").selectOption("client");
      await page.getByLabel("Words").fill("dill");
      await expect(listed(page)).toHaveCount(0);
      await page.getByLabel("Words").fill("configmaps post");
      await expect(listed(page)).toHaveCount(2);
      await page.reload();
      await expect(page.getByLabel("Words")).toHaveValue("configmaps post");
      await expect(listed(page)).toHaveCount(2);
    });
  });
});

test("exported, it is an HTTP archive", async ({ page, namespace }, info) => {
  await withOwn(page, info, async (f) => {
    await f.api.create(`/api/v1/namespaces/${namespace}/configmaps`, { metadata: { name: "sage" }, data: { a: "b" } });
    await f.kubectl("get", "pods", "--all-namespaces", "--output", "json");
    await f.api.fetch("/api/v1/namespaces/nosuch-one");
    await page.goto(f.page("/api/v1/pods"));
    await live(page);
    await page.goto(f.page("/-/requests"));
    await live(page);
    const archive = async () => {
      const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: "Export as HAR" }).click()]);
      expect(download.suggestedFilename()).toMatch(/\.har$/);
      return JSON.parse(readFileSync((await download.path())!, "utf8"));
    };
    const all = await archive();
    expect(wrongWith(all)).toEqual([]);
    expect(all.log.entries.length).toBeGreaterThan(5);
    const made = all.log.entries.find(({ request }: any) => request.method === "POST" && request.url.includes("/configmaps"));
    expect(JSON.parse(made.request.postData.text).metadata.name).toBe("sage");
    expect(made.response.status).toBe(201);
    expect(JSON.parse(made.response.content.text).metadata.namespace).toBe(namespace);
    await page.getByRole("combobox", { name: "Status" }).selectOption("4xx");
    await expect(page.getByRole("link", { name: "Export as HAR" })).toHaveAttribute("href", /4xx/);
    const few = await archive();
    expect(wrongWith(few)).toEqual([]);
    expect(few.log.entries.map(({ response }: any) => response.status)).toEqual([404]);
  });
});

test("no secret is in it, nor on its way to the page", async ({ page, namespace, tap }, info) => {
  const canary = "c4n4ryTweets";
  const coded = Buffer.from(canary).toString("base64").slice(0, -2);
  await withOwn(page, info, async (f) => {
    const secrets = `/api/v1/namespaces/${namespace}/secrets`;
    await f.api.create(secrets, { metadata: { name: "nest" }, stringData: { song: canary } });
    for (const accept of ["application/json", "application/yaml", "application/vnd.kubernetes.protobuf", "application/json;as=Table;v=v1;g=meta.k8s.io"]) await f.api.fetch(secrets, { headers: { Accept: accept } });
    await f.api.fetch(`${secrets}?watch=1&timeoutSeconds=1`).then((answer) => answer.text());
    await f.api.apply(`${secrets}/nest`, JSON.stringify({ apiVersion: "v1", kind: "Secret", metadata: { name: "nest" }, stringData: { song: `${canary}2` } }), "ada");
    const token = await f.api.create(`/api/v1/namespaces/${namespace}/serviceaccounts/default/token`, { metadata: { name: "" }, spec: {} });
    const jwt = token.status.token as string;
    await f.api.create(`/api/v1/namespaces/${namespace}/configmaps`, { metadata: { name: "config" }, data: { kubeconfig: `users:\n- user: {token: ${canary}}`, jwt, note: `Bearer ${canary}` } });
    await f.api.fetch(`/api/v1/namespaces/${namespace}/pods?token=${canary}`, { headers: { "X-Secret": canary, Cookie: `a=${canary}` } });
    await page.goto(f.page(`${`/api/v1/namespaces/${namespace}/secrets/nest`}`));
    await ready(page);
    await page.goto(f.page("/-/requests"));
    await live(page);
    const texts: string[] = [];
    const rows = await listed(page).evaluateAll((all) => all.map((row) => row.getAttribute("data-request")!));
    expect(rows.length).toBeGreaterThan(10);
    const alone = { headers: { Accept: "application/vnd.fieldmark.entry+json" } };
    for (const [n, id] of rows.entries()) {
      const address = f.page(`/-/requests?entry=${id}`);
      texts.push(await (await page.request.get(address, alone)).text());
      if (n % 8 === 0) texts.push(await (await page.request.get(address)).text());
    }
    texts.push(await (await page.request.get(f.page("/-/requests.har"))).text());
    texts.push(JSON.stringify(tap.heard), await page.content());
    const signature = jwt.split(".")[2]!;
    for (const secret of [canary, coded, jwt, signature, f.token]) for (const text of texts) expect(text.includes(secret), `${secret} escaped: ${text.slice(text.indexOf(secret) - 200, text.indexOf(secret) + 50)}`).toBe(false);
  });
});

test("5,000 requests scroll", async ({ page, namespace }, info) => {
  await withOwn(page, info, async (f) => {
    const path = `/api/v1/namespaces/${namespace}`;
    for (let n = 0; n < 5200; n += 20) await Promise.all(Array.from({ length: 20 }, async (_, i) => (await f.api.fetch(`${path}?n=${n + i}`)).text()));
    await page.goto(f.page("/-/requests"));
    await live(page);
    await expect(page.locator("h1")).toContainText("5,000 requests");
    const list = page.getByRole("region", { name: "Requests" }).first();
    expect(await listed(page).count(), "rows that are laid out").toBeLessThan(120);
    await list.evaluate((rows) => (rows.scrollTop = 29 * 2500));
    await expect(listed(page).filter({ hasText: /n=26\d\d/ }).first()).toBeInViewport();
    const inSight = await listed(page).evaluateAll((all) => all.find((row) => row.getBoundingClientRect().top > 300)!.id);
    const place = await page.locator(`#${inSight}`).evaluate((row) => row.getBoundingClientRect().top);
    for (let n = 0; n < 5; n++) await f.api.get(`${path}?late=${n}`);
    await expect.poll(async () => list.evaluate((rows) => rows.scrollTop), { message: "what came lies above" }).toBeGreaterThan(29 * 2500);
    await expect.poll(async () => page.locator(`#${inSight}`).evaluate((row) => row.getBoundingClientRect().top)).toBe(place);
    await list.evaluate((rows) => (rows.scrollTop = rows.scrollHeight));
    await expect(listed(page).last()).toBeInViewport();
    await page.getByLabel("Words").fill("late=3");
    await expect(listed(page)).toHaveCount(1);
  });
});
