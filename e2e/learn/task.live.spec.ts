// A task of the guide: the learner acts on other pages and in kubectl, and the card beside each page says how it stands. Each test has a session of its
// own, because the card stands beside every page of its session.
import { type Page } from "@playwright/test";
import { expectAccessible } from "../harness/axe.ts";
import { expect, ready, settled, test } from "../harness/live.ts";
import { signInByToken } from "../harness/session.ts";

test.use({ storageState: { cookies: [], origins: [] }, provoked: /^(403|404|409|422) for / });

const address = "/learn/handing-over/task";
const card = (page: Page) => page.getByRole("complementary", { name: "Your task" });
const summary = (page: Page) => card(page).locator("summary").first();
const phase = (page: Page, name: string) => expect(page.locator(`.task-page[data-phase=${name}]`)).toBeVisible({ timeout: 60_000 });

async function begin(page: Page): Promise<string> {
  await page.goto(address);
  await page.getByRole("button", { name: /^(Begin|Start over)$/ }).first().click();
  await phase(page, "working");
  await settled(page);
  return (await page.locator(".task-goal code").last().textContent()) ?? "";
}

const scaled = (replicas: number) => `apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: shop\nspec:\n  replicas: ${replicas}\n`;
const unscaled = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: shop
spec:
  selector:
    matchLabels: {app: shop}
  template:
    metadata:
      labels: {app: shop}
    spec:
      containers:
        - name: shop
          image: registry.example/shop:1
`;

/** Sends an apply from the request console. */
async function apply(page: Page, namespace: string, manager: string, body: string, more = ""): Promise<void> {
  const query = new URLSearchParams({ method: "PATCH", path: `/apis/apps/v1/namespaces/${namespace}/deployments/shop?fieldManager=${manager}${more}`, contentType: "apply", body });
  await page.goto(`/c/practice/-/request?${query}`);
  await ready(page);
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await expect(page.locator("#outcome")).toContainText("200");
}

test.beforeEach(async ({ page, fieldmark }) => {
  test.setTimeout(300_000);
  await signInByToken(page, fieldmark.token);
});

test("solved in the console, with the card beside it, a reload in the middle, and a second tab", async ({ page, shot }) => {
  const namespace = await begin(page);
  await shot("task-working");
  await expectAccessible(page);
  await apply(page, namespace, "scaler", scaled(3));
  await expect(card(page).locator("[data-goal='0']")).toContainText("ada, scaler");
  await shot("task-card");
  await page.reload();
  await ready(page);
  await expect(summary(page)).toContainText("2 of 3");
  const other = await page.context().newPage();
  await other.goto(address);
  await phase(other, "working");
  await apply(page, namespace, "ada", unscaled);
  await expect(summary(page)).toContainText("solved");
  await phase(other, "solved");
  await expect(other.locator("#main")).toContainText("You: 2 writes. Here: 2.");
  await expect(other.locator("#announcer")).toContainText("The task is solved.");
  await other.close();
  await summary(page).click();
  await card(page).getByRole("button", { name: "End the task" }).click();
  await expect(page.getByRole("button", { name: "Begin" })).toBeVisible();
  await page.goto("/learn");
  await expect(page.locator("[data-lesson=handing-over] .practise")).toContainText("solved without a hint");
  await expect(page.locator("#how-far")).toHaveText(/Solved: 1 of \d+ tasks\.$/);
  await shot("map-solved");
});

test("an exam gives no help, goes on task by task, and says at the end what one can do", async ({ page, shot }) => {
  await page.goto("/learn/exam?path=operators");
  await ready(page);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Begin the exam" }).click();
  await phase(page, "working");
  await expect(page.locator("#main")).toContainText("Task 1 of your exam");
  await expect(page.getByRole("heading", { name: /Hints|A solution/ })).toHaveCount(0);
  const first = page.url();
  await page.goto("/c/practice/api/v1/namespaces");
  await ready(page);
  await summary(page).click();
  await expect(card(page).getByText("The idea")).toHaveCount(0);
  await card(page).getByRole("link", { name: "Go on in the exam" }).click();
  await ready(page);
  await expect(page.locator(".exam-tasks > li")).toHaveText([/^now/, ...Array<RegExp>(9).fill(/^laterTask \d+$/)]);
  await expectAccessible(page);
  await shot("exam");
  await page.getByRole("button", { name: "Leave this task" }).click();
  await phase(page, "working");
  await expect(page.locator("#main")).toContainText("Task 2 of your exam");
  expect(page.url()).not.toBe(first);
  await page.getByRole("link", { name: "Go on in the exam" }).click();
  await ready(page);
  await page.getByRole("button", { name: "End the exam" }).click();
  await ready(page);
  await expect(page.locator("#main")).toContainText("0 of 10 tasks solved");
  await expect(page.getByRole("link", { name: "The task with its hints" })).toHaveCount(10);
  await shot("exam-over");
  await page.goto(first);
  await expect(page.getByRole("heading", { name: "Hints" })).toBeVisible();
});

test("a case is solved from its story, and its lessons are named at the end", async ({ page, shot }) => {
  await page.goto("/learn/cases");
  await ready(page);
  await expect(page.locator(".cases-list > li")).toHaveCount(8);
  await expectAccessible(page);
  await shot("cases");
  await page.getByRole("link", { name: "The discount that vanished" }).click();
  await ready(page);
  await expect(page.getByRole("heading", { name: "Hints" })).toHaveCount(0);
  await page.getByRole("button", { name: "Begin" }).click();
  await phase(page, "working");
  await expect(page.getByRole("heading", { name: "The lessons behind it" })).toHaveCount(0);
  const namespace = (await page.locator("[data-var=namespace]").first().textContent()) ?? "";
  await shot("case");
  for (const manager of ["ben", "ada"]) {
    const query = new URLSearchParams({
      method: "PATCH",
      path: `/apis/shop.example.com/v1/namespaces/${namespace}/promotions/lunch?fieldManager=${manager}`,
      contentType: "apply",
      body: "apiVersion: shop.example.com/v1\nkind: Promotion\nmetadata:\n  name: lunch\nspec:\n  discountPercent: 10\n  priority: [lunch, loyalty]\n",
    });
    await page.goto(`/c/practice/-/request?${query}`);
    await ready(page);
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await expect(page.locator("#outcome")).toContainText("200");
  }
  await expect(summary(page)).toContainText("solved");
  await page.goto("/learn/cases/vanished");
  await expect(page.locator("#main")).toContainText("You: 2 writes. Here: 2.");
  await expect(page.getByRole("heading", { name: "The lessons behind it" })).toBeVisible();
  await page.goto("/learn/cases");
  await expect(page.locator("[data-case=vanished]")).toContainText("solved");
});

test("a wrong way is named, can't be undone, and starting over takes a moment", async ({ page, shot }) => {
  const namespace = await begin(page);
  await apply(page, namespace, "scaler", scaled(5), "&force=true");
  await expect(summary(page)).toContainText("start over");
  await page.keyboard.press("Shift+T");
  await expect(card(page).getByText("This can’t be reached any more")).toBeVisible();
  await expect(card(page)).toContainText("You forced another number under the name");
  await shot("task-lost");
  await card(page).getByRole("button", { name: "Start over" }).click();
  await phase(page, "working");
  await expect(page.locator(".task-goal code").last()).not.toHaveText(namespace);
  await expect(page.locator(".task-miss")).toHaveCount(0);
  await page.locator("#main").getByText("The idea").click();
  await expect.poll(() => page.evaluate(() => localStorage.getItem("fieldmark.tasks")), "a hint counts as help").toContain('"helped":true');
});

test("the card is opened and folded by a key, stays so, lies on nothing while it is folded, and is whole in a small window", async ({ page, shot }) => {
  await begin(page);
  await page.goto("/c/practice/api/v1/namespaces/shop/pods");
  await ready(page);
  const body = card(page).locator(".task-card-body");
  await expect(summary(page)).toContainText("2 of 3");
  await expect(body).toBeHidden();
  await page.keyboard.press("Shift+T");
  await expect(body).toBeVisible();
  await expect(summary(page)).toBeFocused();
  await page.reload();
  await ready(page);
  await expect(body).toBeVisible();
  await page.keyboard.press("Shift+T");
  await expect(body).toBeHidden();
  const foot = await page.locator(".foot").boundingBox();
  const pill = await card(page).boundingBox();
  expect((foot?.y ?? 0) + (foot?.height ?? 0), "the folded card lies on nothing").toBeLessThanOrEqual(pill?.y ?? 0);
  await page.reload();
  await ready(page);
  await expect(summary(page)).toBeVisible();
  await expect(body).toBeHidden();
  await page.setViewportSize({ width: 390, height: 800 });
  await page.keyboard.press("Shift+T");
  await expect(card(page).getByRole("button", { name: "End the task" })).toBeInViewport();
  const { width, x } = (await card(page).boundingBox()) ?? { width: 0, x: -1 };
  expect(x).toBeGreaterThanOrEqual(0);
  expect(x + width).toBeLessThanOrEqual(390);
  await shot("task-card-small");
  await page.keyboard.press("/");
  await page.keyboard.type("Tea");
  await expect(body).toBeVisible();
});
