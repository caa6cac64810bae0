// A lesson worked through by a learner who errs; with kubectl; on a cluster that lessons write nothing to.
import { type Page } from "@playwright/test";
import { mkdirSync, writeFileSync } from "node:fs";
import { Api, eventually } from "../harness/api.ts";
import { start } from "../harness/fieldmark.ts";
import { turn } from "../harness/lesson.ts";
import { expect, ready, test } from "../harness/live.ts";
import { own } from "../harness/own.ts";
import { scenarios } from "../harness/owncluster.ts";
import { signIn } from "../harness/session.ts";
import { recall } from "../harness/shared.ts";

/** What is in sight: the step, and in it what is not hidden. */
const step = (page: Page) => page.locator(".place:not([hidden])");
const button = (page: Page, name: string | RegExp) => step(page).locator(".block:not([hidden])").getByRole("button", { name });
const choose = (page: Page, words: string | RegExp) => step(page).locator(".choice", { hasText: words }).click();
const outcome = (page: Page) => step(page).locator(".outcome");
const check = (page: Page) => step(page).locator(".checks");
/** All that the step in sight checks is so, and it checks something. */
const held = async (page: Page) => {
  await expect(check(page).first()).toBeVisible();
  await expect(check(page).and(page.locator(":not([data-check=held])"))).toHaveCount(0);
};
const namespaceOf = async (page: Page) => (await step(page).locator(".http-request [data-var=namespace]").first().innerText()).trim();

const phaseOf = (api: Api, namespace: string): Promise<string> => api.get(`/api/v1/namespaces/${namespace}`).then((n) => n.status?.phase, () => "gone");

const begin = async (page: Page, lesson: string, address = `/learn/${lesson}`) => {
  await page.goto(address);
  await ready(page);
  await page.getByRole("button", { name: "Begin", exact: true }).click();
  await expect(page.locator("[data-phase=ready]")).toBeVisible({ timeout: 60_000 });
};

test.use({ provoked: /^(403|404|409|422) for / });

test("through a lesson as a learner who errs", async ({ page, api, shot }) => {
  test.setTimeout(180_000);
  await begin(page, "conflicts");
  await expect(step(page).getByRole("heading", { level: 2 })).toBeFocused();
  await expect(page.locator("#progress")).toHaveText(/^step 1 of \d+$/);
  const namespace = await namespaceOf(page);
  const settings = `/api/v1/namespaces/${namespace}/configmaps/settings`;

  await test.step("each part is explained, and the request is in the wire log", async () => {
    await step(page).locator("button.part", { hasText: "configmaps" }).first().click();
    await expect(step(page).locator(".part-words")).toContainText("resource type");
    await shot("lesson-step");
    await button(page, "Send").click();
    await expect(check(page).first()).toHaveAttribute("data-check", "held");
    // Other tests share the session: the newest request may be theirs.
    const log = async (): Promise<string> => (await page.request.get(`/c/practice/-/requests.har?text=${namespace}`)).text();
    await expect.poll(log).toContain(`/api/v1/namespaces/${namespace}/configmaps`);
    await expect(step(page).locator(".blame [data-path='.data.banner']")).toContainText("banner");
  });

  await test.step("the answer waits for a prediction, and a wrong one is explained", async () => {
    await turn(page, "j");
    await expect(button(page, "Send")).toBeDisabled();
    await choose(page, "the last writer wins");
    await button(page, "Send").click();
    await expect(outcome(page)).toContainText("Not quite.");
    await expect(outcome(page)).toContainText("Correct answer:");
    await held(page);
    await shot("lesson-answer");
  });

  await test.step("a reload goes on where it was", async () => {
    await expect(page).toHaveURL(/step=/);
    await page.goto("/learn/conflicts");
    await ready(page);
    await expect(page.locator("#progress")).toHaveText(/^step 2 of/);
    await expect(page.locator(".lesson-steps [data-state=passed]")).toHaveCount(2);
    await expect(step(page)).toContainText("You got this response before you left the page.");
    await expect(step(page).locator(".answer .laid")).toContainText("FieldManagerConflict");
  });

  await test.step("what was changed by hand meanwhile fails a check, which says what came, and why", async () => {
    await turn(page, "j");
    await choose(page, "Two conflicts, and");
    await api.delete(settings);
    await button(page, "Send").click();
    await expect(check(page).first()).toHaveAttribute("data-check", "failed");
    await expect(check(page).first()).toContainText("is 409");
    await expect(check(page).first().locator(".apart").first()).toContainText("201");
    await expect(check(page).first().locator(".reason")).toContainText("The ConfigMap settings was deleted after step 1, and created again.");
    await shot("lesson-failed");
  });

  await test.step("to begin anew takes one click", async () => {
    await check(page).first().getByRole("button", { name: "Start over" }).click();
    await expect(page.locator("#progress")).toHaveText(/^step 1 of/);
    await expect(page.locator("[data-phase=ready]")).toBeVisible({ timeout: 60_000 });
    expect(await namespaceOf(page)).not.toBe(namespace);
    await expect(page.locator(".lesson-steps [data-state]")).toHaveCount(0);
    await expect.poll(() => phaseOf(api, namespace)).not.toBe("Active");
  });
});

test("by key alone the focus is never lost", async ({ page }) => {
  test.setTimeout(120_000);
  await page.goto("/learn/conflicts");
  await ready(page);
  const send = step(page).locator("[id^=send-]").first();
  const heading = step(page).getByRole("heading", { level: 2 });

  await test.step("to begin, and to send", async () => {
    await page.keyboard.press("s");
    await expect(page.locator("[data-phase=ready]")).toBeVisible({ timeout: 60_000 });
    await expect(heading).toBeFocused();
    await page.keyboard.press("s");
    await expect(send).toHaveText("Send again");
    await expect(send).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(step(page).locator("[id^=repeat-]")).toHaveText("200: nothing changed, because the object was like that already.");
    await expect(check(page).first()).toHaveAttribute("data-check", "held"); // the first response stays
    await expect(send).toBeFocused();
  });

  await test.step("to predict, which can't be done again once the answer is there", async () => {
    await turn(page, "j");
    await expect(heading).toBeFocused();
    const wrong = step(page).locator(".choice").last();
    await wrong.focus();
    await page.keyboard.press("Enter");
    await expect(wrong).toHaveAttribute("aria-pressed", "true");
    await page.keyboard.press("s");
    await expect(outcome(page)).toBeVisible();
    await expect(wrong).toHaveAttribute("aria-disabled", "true");
    await expect(send).toBeFocused();
  });

  await test.step("in a narrow window the list of steps shows the one in sight", async () => {
    await page.setViewportSize({ width: 700, height: 900 });
    await page.keyboard.press("G");
    await expect(heading).toBeFocused();
    await expect(page.locator(".lesson-steps [aria-current=step]")).toBeInViewport({ ratio: 0.9 });
  });

  await test.step("to begin anew", async () => {
    await page.getByRole("button", { name: "Start over", exact: true }).press("Enter");
    await expect(page.locator("[data-phase=ready]")).toBeVisible({ timeout: 60_000 });
    await expect(page.locator("#progress")).toHaveText(/^step 1 of/);
    await expect(heading).toBeFocused();
  });
});

test("a value is predicted, and the lesson tidied up", async ({ page, api, shot }) => {
  test.setTimeout(120_000);
  await begin(page, "kinds-and-resources");
  const namespace = await namespaceOf(page);
  await turn(page, "j");
  await turn(page, "j");
  const value = step(page).locator(".block:not([hidden]) form.value input");
  await value.fill("17");
  await value.press("Enter");
  await button(page, "Send").first().click();
  await expect(outcome(page).first()).toContainText("Not quite.");
  await expect(outcome(page).first()).toContainText("Correct answer: services");
  await page.keyboard.press("G");
  await expect(page.locator("#progress")).toHaveText(/^step (\d+) of \1$/); // the link below is that of the last step then
  await page.locator(".leaf [rel=next]").click();
  await expect(step(page)).toContainText("What you know now");
  await page.getByRole("button", { name: "Tidy up and finish" }).click();
  await expect(page.locator("[data-phase=over]")).toBeVisible({ timeout: 30_000 });
  await expect(page.locator("#tally")).toContainText("Predictions: 0 of 1 correct.");
  await shot("lesson-end");
  await expect.poll(() => phaseOf(api, namespace)).not.toBe("Active");
});

test("the same with kubectl", async ({ page, shot }, info) => {
  test.setTimeout(180_000);
  const mine = await own(page, info);
  try {
    await begin(page, "conflicts", `${mine.origin}/learn/conflicts?cluster=${mine.slug}`);
    const namespace = await namespaceOf(page);
    const object = (data: Record<string, string>) => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "settings" }, data });
    const file = info.outputPath("settings.json");
    writeFileSync(file, JSON.stringify(object({ banner: "Spring is here", currency: "EUR", shipping: "3.90" })));
    const apply = (manager: string, ...more: string[]) => mine.kubectl("apply", "--server-side", `--field-manager=${manager}`, "-n", namespace, "-f", file, ...more);
    await button(page, "Try it with kubectl").click();
    await expect(step(page)).toContainText("Waiting for kubectl");
    await expect(step(page).locator(".copied pre")).toContainText("kubectl apply --server-side --field-manager=ada");
    await shot("lesson-kubectl");
    await apply("caro", "--dry-run=server"); // of another manager: it is none of the step's
    await apply("ada");
    await expect(step(page)).toContainText("Response to kubectl, from the wire log");
    await expect(check(page).first()).toHaveAttribute("data-check", "held");

    await turn(page, "j");
    await button(page, "Try it with kubectl").click();
    await expect(step(page)).toContainText("Make your prediction first.");
    await choose(page, "The whole request is refused");
    await expect(step(page)).toContainText("Waiting for kubectl");
    writeFileSync(file, JSON.stringify(object({ banner: "Tulips at half price", currency: "USD", shipping: "4.90", newsletter: "on" })));
    await apply("ben").catch(() => undefined); // it conflicts
    await expect(outcome(page)).toContainText("Correct.");
  } finally {
    await mine.stop();
  }
});

test("with --read-only a lesson is read, and its reading steps can be sent", async ({ page, shot }, info) => {
  const home = info.outputPath("home");
  mkdirSync(home);
  const careful = await start({ args: ["--practice", "off", "--read-only"], kubeconfig: recall().practice, home, log: info.outputPath("fieldmark.log"), patience: 60_000 });
  try {
    await signIn(page, careful.link);
    await page.goto(`${careful.origin}/learn/conflicts`);
    await ready(page);
    await expect(page.locator("#reading")).toContainText("--read-only");
    await turn(page, "j");
    await expect(button(page, "Send").first()).toBeDisabled();
    await expect(step(page)).toContainText("This request writes. Fieldmark was started with --read-only.");
    await turn(page, "j");
    await choose(page, "the last writer wins");
    await expect(outcome(page).first()).toContainText("Not quite.");
    await shot("lesson-reading");
  } finally {
    await careful.stop();
  }
});

test("on a cluster that isn't for practice, reading requests can be sent, and writing ones are disabled with the reason", async ({ page, shot }, info) => {
  test.setTimeout(180_000); // it starts a control plane
  const home = info.outputPath("home");
  mkdirSync(home);
  const f = await start({ args: ["--practice", "on"], kubeconfig: recall().practice, home, log: info.outputPath("fieldmark.log"), patience: 90_000 });
  try {
    // Without the type of the Scenarios, a practice cluster is a cluster like any other.
    const api = new Api(f.origin, f.token);
    await eventually("Scenarios", 60_000, () => api.get(scenarios).then(() => undefined));
    await api.delete("/apis/apiextensions.k8s.io/v1/customresourcedefinitions/scenarios.practice.fieldmark.dev");
    await signIn(page, f.link);

    await test.step("what reads", async () => {
      await expect(async () => {
        await page.goto(`${f.origin}/learn/feature-detection?cluster=practice`);
        await expect(page.locator("#reading")).toContainText("This is not the practice cluster.", { timeout: 2_000 });
      }).toPass({ timeout: 60_000 }); // discovery is asked anew now and then
      await ready(page);
      await expect(page.getByRole("button", { name: "Begin", exact: true })).toHaveCount(0);
      await turn(page, "j");
      await choose(page, "Nothing");
      await button(page, "Send").first().click();
      await expect(outcome(page)).toContainText("Correct.");
      await held(page);
      await expect(page.locator("#wire-newest")).toContainText("/version");
      await shot("lesson-elsewhere");
    });

    await test.step("what writes", async () => {
      await page.goto(`${f.origin}/learn/conflicts?cluster=practice`);
      await ready(page);
      await turn(page, "j");
      await expect(button(page, "Send").first()).toBeDisabled();
      await expect(step(page)).toContainText("is not the practice cluster. Lessons write only to the practice cluster.");
    });
  } finally {
    await page.goto("about:blank"); // that its server goes is none of the page's business
    await f.stop();
  }
});

test("while the cluster is away a lesson can be read", async ({ page, shot }) => {
  await page.goto("/learn/conflicts?cluster=dead-server");
  await ready(page);
  await expect(page.locator(".lesson-title .notice")).toBeVisible();
  await turn(page, "j");
  await expect(button(page, "Send").first()).toBeDisabled();
  await expect(step(page)).toContainText("Fieldmark can’t send requests to this cluster now.");
  await shot("lesson-away");
});

test("someone who may make no namespace is told so", async ({ page }) => {
  await page.goto("/learn/conflicts?cluster=practice-viewer");
  await ready(page);
  await page.getByRole("button", { name: "Begin", exact: true }).click();
  await expect(step(page)).toContainText("The lesson can’t begin");
  await expect(step(page).locator(".quoted")).toContainText("namespaces is forbidden");
});
