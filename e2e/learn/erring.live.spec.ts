// Learners who make mistakes: they send again, skip a step, end a stream, mistype a command, reload the page. The page says nothing false.
import { type Page } from "@playwright/test";
import { writeFileSync } from "node:fs";
import { turn } from "../harness/lesson.ts";
import { expect, ready, test } from "../harness/live.ts";
import { own } from "../harness/own.ts";

const step = (page: Page) => page.locator(".place:not([hidden])");
const send = (page: Page) => step(page).locator(".block:not([hidden])").getByRole("button", { name: "Send", exact: true });
const choose = (page: Page, words: string | RegExp) => step(page).locator(".choice", { hasText: words }).click();
const check = (page: Page) => step(page).locator(".checks");
const reason = (page: Page) => step(page).locator(".reason");
const repeat = (page: Page) => step(page).locator("[id^=repeat-]");
const held = async (page: Page) => {
  await expect(check(page).first()).toBeVisible();
  await expect(check(page).and(page.locator(":not([data-check=held])"))).toHaveCount(0, { timeout: 45_000 });
};
const setUp = "Set up this step for me";
const namespaceOf = async (page: Page) => (await step(page).locator(".http-request [data-var=namespace]").first().innerText()).trim();

const begin = async (page: Page, lesson: string, address = `/learn/${lesson}`) => {
  await page.goto(address);
  await ready(page);
  await page.getByRole("button", { name: "Begin", exact: true }).click();
  await expect(page.locator("[data-phase=ready]")).toBeVisible({ timeout: 60_000 });
};

test.use({ provoked: /^(400|403|404|409|422) for / });

test("to send again leaves the first good response in place", async ({ page, shot }) => {
  test.setTimeout(120_000);
  await begin(page, "watch");
  await send(page).click();
  await held(page);
  await step(page).getByRole("button", { name: "Send again" }).click();
  await expect(repeat(page)).toHaveText("409: the object exists now.");
  await expect(repeat(page)).toBeInViewport();
  await expect(step(page).locator(".again")).toContainText("The step uses the first response.");
  await expect(step(page).locator(".answer > .answer-line")).toContainText("201");
  await held(page);
  await shot("lesson-repeat");
  await step(page).locator(".again summary").first().click();
  await expect(step(page).locator(".again .laid")).toContainText("AlreadyExists");
  await expect(step(page).locator(".again .remark")).toHaveCount(0);
  await expect(page.locator(".lesson-steps [aria-current=step]")).toHaveAttribute("data-state", "passed");
});

test("a step that can’t pass names what is missing", async ({ page, api, shot }) => {
  test.setTimeout(240_000);

  await test.step("the step that was skipped", async () => {
    await begin(page, "watch");
    await send(page).click();
    await held(page);
    await turn(page, "j");
    await turn(page, "j");
    await choose(page, "but no event");
    await expect(step(page)).toContainText("This request needs the value “listed” from step 2, “The list”. Do that step first.");
    await step(page).getByRole("link", { name: "Go to step 2" }).click();
    await expect(page.locator("#progress")).toHaveText(/^step 2 of/);
    await send(page).click();
    await held(page);
  });

  await test.step("the stream that was ended, which is opened again", async () => {
    await turn(page, "j");
    await send(page).click();
    await held(page);
    await step(page).getByRole("button", { name: "End the stream" }).click();
    await expect(step(page).locator(".answer-line").first()).toContainText("canceled");
    await turn(page, "j");
    await choose(page, "One event, with order-2");
    await send(page).click();
    await expect(reason(page)).toContainText("The stream of step 3, “The watch”, has ended, so it brings no more events.");
    await shot("lesson-stream-ended");
    await reason(page).getByRole("button", { name: "Open the stream again" }).click();
    await held(page);
    await expect(page.locator(".lesson-steps [data-state=failed]")).toHaveCount(0);
  });

  await test.step("the object that was changed", async () => {
    await begin(page, "conflicts");
    await send(page).click();
    await held(page);
    const settings = `/api/v1/namespaces/${await namespaceOf(page)}/configmaps/settings`;
    await api.apply(settings, JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "settings" }, data: { currency: "GBP" } }), "caro");
    await turn(page, "j");
    await choose(page, "It is not set.");
    await send(page).click();
    await expect(reason(page)).toContainText("The ConfigMap settings has changed since step 1, in .data.currency.");
    await expect(reason(page).getByRole("link")).toHaveCount(0);
    await shot("lesson-changed");
  });

  await test.step("a reload keeps what was said", async () => {
    await page.goto("/learn/conflicts");
    await ready(page);
    await expect(page.locator("#progress")).toHaveText(/^step 2 of/);
    await expect(page.locator(".lesson-steps [aria-current=step]")).toHaveAttribute("data-state", "failed");
    await expect(step(page)).toContainText("You got this response before you left the page.");
    await expect(reason(page)).toContainText("The ConfigMap settings has changed since step 1, in .data.currency.");
    await turn(page, "k");
    await expect(step(page)).toContainText("You got this response before you left the page.");
    await expect(step(page).locator(".blame [data-path='.data.banner']")).toContainText("banner");
    await held(page);
    const kept = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
    expect(kept, "what the browser keeps").not.toContain("Spring is here");
  });

  await test.step("the page sets the step up, and shows first what it sends", async () => {
    await turn(page, "j");
    const namespace = await namespaceOf(page);
    await reason(page).getByRole("button", { name: setUp }).click();
    const proposal = step(page).locator(".replay");
    await expect(proposal).toBeFocused();
    await expect(proposal.locator(".planned summary code")).toHaveText([/^POST \/api\/v1\/namespaces$/, /^PATCH .*configmaps\/settings\?fieldManager=ada$/]);
    await shot("lesson-set-up");
    await proposal.getByRole("button", { name: "Send these 2 requests" }).click();
    await expect(proposal).toHaveText("The page has set up this step with 2 requests.", { timeout: 60_000 });
    await expect(reason(page)).toHaveCount(0);
    expect(await namespaceOf(page)).not.toBe(namespace);
    await choose(page, "It is not set.");
    await send(page).click();
    await held(page);
    await expect(page.locator(".lesson-steps [data-state=passed]")).toHaveCount(2);
  });

  await test.step("another tab is told, and goes on here", async () => {
    const other = await page.context().newPage();
    await other.goto("/learn/conflicts");
    await ready(other);
    await expect(other.locator("#progress")).toHaveText(/^step 2 of/);
    await turn(page, "j");
    await page.locator(".lesson-steps").getByRole("button", { name: setUp }).click();
    await step(page).getByRole("button", { name: /^Send these/ }).click();
    await expect(step(page).locator(".replay[data-replay=played]")).toBeVisible({ timeout: 60_000 });
    await expect(other.locator("#elsewhere")).toContainText("This lesson goes on in another tab.");
    await other.getByRole("button", { name: "Go on here" }).click();
    await expect(other.locator("#elsewhere")).toHaveCount(0);
    await expect(other.locator("[data-phase=ready]")).toBeVisible();
    expect(await namespaceOf(other)).toBe(await namespaceOf(page));
    await other.close();
  });

  await test.step("a variant of a request is about an object beside the lesson's", async () => {
    await turn(page, "k");
    await step(page).getByRole("link", { name: "Try a variant" }).click();
    await ready(page);
    await expect(page.getByRole("textbox", { name: "Body" })).toContainText("settings-variant");
  });
});

test("a long response comes back whole after a reload", async ({ page }) => {
  test.setTimeout(120_000);
  await begin(page, "streaming-lists");
  await send(page).click();
  await held(page);
  await page.goto("/learn/streaming-lists");
  await ready(page);
  await expect(step(page).locator(".answer")).toContainText("You got this response before you left the page. It comes from the wire log.");
  await expect(step(page).locator(".answer")).not.toContainText("only the beginning");
  await held(page);
});

test("the right command after a wrong one counts", async ({ page, shot }, info) => {
  test.setTimeout(180_000);
  const mine = await own(page, info);
  try {
    await begin(page, "conflicts", `${mine.origin}/learn/conflicts?cluster=${mine.slug}`);
    const namespace = await namespaceOf(page);
    const file = info.outputPath("settings.json");
    const write = (banner: string, currency: string, shipping: string) =>
      writeFileSync(file, JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "settings" }, data: { banner, currency, shipping } }));
    const apply = (...more: string[]) => mine.kubectl("apply", "--server-side", "-n", namespace, "-f", file, ...more);
    write("Spring is here", "EUR", "3.90");
    await step(page).getByRole("button", { name: "Try it with kubectl" }).click();
    await expect(step(page)).toContainText("Waiting for kubectl");

    await test.step("without the parameters that change its meaning it doesn’t count", async () => {
      await apply("--field-manager=ada", "--dry-run=server");
      await expect(step(page).locator(".near")).toContainText("kubectl sent dryRun=All. Leave out --dry-run=server.");
      await apply("--field-manager=caro", "--dry-run=server");
      await expect(step(page).locator(".near")).toContainText("This step needs fieldManager=ada: use --field-manager=ada.");
      await expect(check(page).locator("[data-verdict]")).toHaveCount(0);
      await shot("lesson-near");
    });

    await test.step("with another namespace or verb, it doesn’t count, and the page says how to undo it", async () => {
      const other = `${namespace}-not`;
      await mine.kubectl("create", "namespace", other);
      try {
        await mine.kubectl("apply", "--server-side", "--field-manager=ada", "-n", other, "-f", file);
        await expect(step(page).locator(".near")).toContainText(`kubectl used the namespace ${other}. This step needs the namespace ${namespace}: add -n ${namespace}.`);
        await expect(step(page).locator(".near")).toContainText(`It created an object. Delete the object: kubectl delete configmaps settings -n ${other}.`);
        await mine.kubectl("create", "-n", namespace, "-f", file, "--field-manager=ada");
        await expect(step(page).locator(".near")).toContainText("kubectl sent a POST. This step needs a PATCH.");
        await expect(step(page).locator(".near")).toContainText(`Delete the object: kubectl delete configmaps settings -n ${namespace}.`);
        await expect(check(page).locator("[data-verdict]")).toHaveCount(0);
      } finally {
        await mine.kubectl("delete", "namespace", other, "--wait=false");
      }
      await mine.kubectl("delete", "configmaps", "settings", "-n", namespace);
    });

    await test.step("as somebody else it isn’t sent, which kubectl says", async () => {
      await expect(apply("--field-manager=ada", "--validate=false", "--as=ada")).rejects.toThrow(/Fieldmark refuses impersonation \(Impersonate-\* headers, kubectl --as\)/);
      await expect(step(page)).toContainText("Waiting for kubectl");
      await expect(check(page).locator("[data-verdict]")).toHaveCount(0);
    });

    await test.step("and then the right one does", async () => {
      await apply("--field-manager=ada");
      await held(page);
      await expect(step(page).locator(".near")).toHaveCount(0);
    });

    await test.step("after one that counted and failed, too", async () => {
      await turn(page, "j");
      await step(page).getByRole("button", { name: "Try it with kubectl" }).click();
      await choose(page, "It is not set.");
      await expect(step(page)).toContainText("Waiting for kubectl");
      await apply("--field-manager=ben"); // with Ada’s values, which is no conflict
      await expect(check(page).first()).toHaveAttribute("data-check", "failed");
      await expect(step(page)).toContainText("Waiting for kubectl");
      write("Tulips at half price", "USD", "4.90");
      await apply("--field-manager=ben").catch(() => undefined); // it conflicts
      await expect(check(page).first()).toHaveAttribute("data-check", "held");
    });
  } finally {
    await mine.stop();
  }
});
