// An object in plain words: what it waits for, in at most six requests.
import { type Page } from "@playwright/test";
import { expect, live, openLive, ready, row, test } from "../harness/live.ts";
import { own } from "../harness/own.ts";

async function describe(page: Page, path: string, cluster = "practice"): Promise<void> {
  await page.goto(`/c/${cluster}${path}?tab=describe`);
  await ready(page);
}

const part = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
const waits = (page: Page) => part(page, "What it waits for");

const troubled = {
  metadata: {
    name: "web",
    annotations: {
      "practice.fieldmark.dev/crash": "OOMKilled",
      "practice.fieldmark.dev/crash-after": "1s",
      "practice.fieldmark.dev/waiting.proxy": "ImagePullBackOff",
    },
  },
  spec: {
    containers: [
      { name: "app", image: "registry.test/app:1", readinessProbe: { httpGet: { path: "/healthz", port: 8080 } } },
      { name: "proxy", image: "registry.test/proxy:0" },
    ],
  },
};

test("a pod that doesn’t run says what it waits for, and the page follows it", async ({ page, api, namespace }) => {
  const pods = `/api/v1/namespaces/${namespace}/pods`;
  await expect(async () => api.create(pods, troubled)).toPass();
  await describe(page, `${pods}/web`);
  await expect(waits(page)).toContainText("The container app waits before its next start, because it ends again and again.", { timeout: 30_000 });
  await expect(waits(page)).toContainText("exit code 137: the kernel ended it");
  await expect(waits(page)).toContainText("The container proxy waits for its image registry.test/proxy:0 (ImagePullBackOff).");
  const app = part(page, "Containers").getByRole("row").filter({ hasText: "registry.test/app:1" });
  await expect(app).toContainText("readiness: GET http://:8080/healthz, every 10 s, fails after 3");
  await expect(part(page, "Events")).toContainText("Scheduled", { timeout: 30_000 });
  await api.delete(`${pods}/web`);
  await expect(page.getByText("The object was deleted")).toBeVisible({ timeout: 60_000 });
  await expect(page.getByRole("group", { name: "Actions" })).toHaveCount(0);
});

test("a pod with two containers fits on one screen", async ({ page, api, namespace }) => {
  await page.setViewportSize({ width: 1400, height: 900 });
  const pods = `/api/v1/namespaces/${namespace}/pods`;
  await expect(async () => api.create(pods, troubled)).toPass();
  await describe(page, `${pods}/web`);
  await expect(waits(page)).toContainText("ends again and again", { timeout: 30_000 });
  for (const name of ["What it waits for", "Containers", "Events", "Volumes"]) await expect(part(page, name)).toBeInViewport({ ratio: 1 });
});

test("a part that may not be read says which permission is missing, and the others are there", async ({ page }) => {
  await describe(page, "/api/v1/namespaces/shop/pods/carts-db-0", "practice-viewer");
  await expect(part(page, "Events")).toHaveText(/^Events\s*You don’t have permission to list events in the namespace shop\.$/);
  await expect(part(page, "Containers").getByRole("row")).not.toHaveCount(0);
  await expect(waits(page)).toContainText("waits for nothing");
});

test.describe("in a session of its own", () => {
  test.use({ storageState: { cookies: [], origins: [] } });
  test.describe.configure({ timeout: 180_000 });

  test("each description takes at most six requests, and the wire log has all of them", async ({ page }, info) => {
    const f = await own(page, info);
    /** The requests after one of the wire log, without discovery and the namespaces, which every page of a cluster reads. */
    const since = async (last: number) => {
      await page.goto(f.page("/-/requests"));
      await ready(page);
      const all = await page.locator("tr[data-request]").evaluateAll((rows) => rows.map((one) => ({ id: Number((one as HTMLElement).dataset["request"]), text: (one as HTMLElement).innerText.replace(/\s+/g, " ") })));
      return all.filter(({ id, text }) => id > last && !/ \/apis?( |\?|$)/.test(text) && !/ \/api\/v1\/namespaces\?/.test(text));
    };
    try {
      let last = Math.max(0, ...(await since(0)).map(({ id }) => id));
      for (const { path, takes } of [
        { path: "/api/v1/namespaces/shop/pods/carts-db-0", takes: 3 },
        { path: "/apis/batch/v1/namespaces/shop/jobs/import-products", takes: 4 },
        { path: "/api/v1/nodes/node-1", takes: 5 },
        { path: "/api/v1/namespaces/shop/services/storefront", takes: 5 },
        { path: "/apis/networking.k8s.io/v1/namespaces/shop/ingresses/storefront", takes: 6 },
        { path: "/api/v1/namespaces/platform/persistentvolumeclaims/shared-images", takes: 6 },
      ]) {
        await page.goto(f.page(`${path}?tab=describe`));
        await ready(page);
        if (takes < 6 || path.includes("claims")) await live(page);
        const made = await since(last);
        expect(made.length, `${path}: ${made.map(({ text }) => text).join("\n")}`).toBe(takes);
        last = Math.max(...made.map(({ id }) => id));
      }
    } finally {
      await page.goto("about:blank"); // that its server goes is none of the page’s business
      await f.stop();
    }
  });
});

test("d opens the description of a row, and h goes back to the fields", async ({ page }) => {
  await openLive(page, "/c/practice/api/v1/namespaces/shop/pods?filter=carts-db-0");
  await page.keyboard.press("j");
  await expect(row(page, "carts-db-0").getByRole("link").first()).toBeFocused();
  await page.keyboard.press("d");
  await expect(page).toHaveURL(/pods\/carts-db-0\?tab=describe$/);
  await expect(part(page, "Containers")).toBeVisible();
  await live(page);
  await page.keyboard.press("h");
  await expect(page).toHaveURL(/pods\/carts-db-0$/);
});
