// The practice cluster is compiled while Fieldmark runs: pages say how far that is, and become the cluster's own by themselves.
import { type Page } from "@playwright/test";
import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { born, expect, ready } from "../harness/live.ts";
import { test as base } from "../harness/started.ts";
import { signIn } from "../harness/session.ts";
import { type Fieldmark } from "../harness/fieldmark.ts";

/** A build that says what the test says, and ends as the test wants. It ends with its standard input, too. */
const script = (home: string) => `#!/usr/bin/env bash
told=0
until [ -e '${home}/end' ]; do
  mapfile -t -s "$told" news <'${home}/news'
  told=$((told + \${#news[@]}))
  [ \${#news[@]} = 0 ] || printf '%s\\n' "\${news[@]}"
  read -r -t 0.1 && : || [ $? -gt 128 ] || exit 1
done
echo '# k8s.io/kubernetes/pkg/apis/core' >&2
echo 'types.go:12:2: <b>no space left</b> on device' >&2
exit "$(cat '${home}/end')"
`;

class Build {
  constructor(private readonly home: string) {
    writeFileSync(join(home, "build.sh"), script(home), { mode: 0o755 });
    writeFileSync(join(home, "news"), "");
    this.compiles(312);
  }
  get program(): string {
    return join(this.home, "build.sh");
  }
  compiles(done: number): void {
    appendFileSync(join(this.home, "news"), `{"step":"compile","done":${done},"total":1140}\n`);
  }
  ends(code: number): void {
    writeFileSync(join(this.home, "end"), String(code));
  }
}

const test = base.extend<{ build: Build; compiling: Fieldmark }>({
  build: async ({ home }, use) => use(new Build(home)),
  compiling: async ({ home, own, build }, use) =>
    use(await own("--practice", "on", "--practice-dir", join(home, "practice"), "--practice-build", build.program)),
});

// Nobody is signed in yet. Pages of a cluster that isn't ready have the status 503.
test.use({ storageState: { cookies: [], origins: [] }, provoked: /503/ });

const card = (page: Page) => page.locator('[data-cluster="practice"]');

test("the card shows the compilation, and becomes the cluster", async ({ page, compiling: { origin, link }, build, shot }) => {
  test.setTimeout(180_000);
  await signIn(page, link);
  await ready(page);
  const home = await born(page);
  await expect(card(page)).toHaveAttribute("data-state", "compiling");
  await expect(card(page)).toContainText("The practice cluster is being compiled: 312 of 1,140 packages");
  await expect(card(page).getByRole("progressbar", { name: "Packages compiled" })).toHaveAttribute("value", "312");
  await expect(page.locator('[data-state="ready"]'), "the kubeconfig's contexts work").toHaveCount(2);
  await shot("compiling");
  build.compiles(700);
  await expect(card(page)).toContainText("700 of 1,140 packages");

  const waiting = "The practice cluster is being compiled: 700 of 1,140 packages";
  const open = async (address: string, status: number) => {
    const other = await page.context().newPage();
    expect((await other.goto(origin + address))?.status()).toBe(status);
    await ready(other);
    await expect(other.locator("main")).toContainText(waiting);
    return other;
  };
  const pods = await open("/c/practice/api/v1/namespaces", 503);
  const guide = await open("/learn", 200);
  const lesson = await open("/learn/verbs", 200);
  await lesson.keyboard.press("j");
  await expect(lesson, "a step").toHaveURL(/step=/);
  const second = lesson.url();
  const documents = await Promise.all([pods, guide, lesson].map(born));
  build.compiles(701);
  for (const other of [pods, guide, lesson]) await expect(other.locator("main")).toContainText("701 of 1,140 packages");

  build.ends(0);
  await expect(card(page)).toHaveAttribute("data-state", "ready", { timeout: 90_000 });
  await expect(page.locator("progress")).toHaveCount(0);
  await expect(pods.locator('tr[data-name="kube-system"]')).toBeVisible({ timeout: 30_000 });
  await expect(guide.locator("main")).not.toContainText("isn’t ready");
  await expect(lesson.locator("main")).not.toContainText("isn’t ready");
  expect(lesson.url(), "the reader stays at the step").toBe(second);
  await lesson.keyboard.press("g");
  await expect(lesson.getByRole("button", { name: "Begin", exact: true })).toBeVisible();
  expect(await Promise.all([pods, guide, lesson].map(born)), "no document was loaded again").toEqual(documents);
  expect(await born(page)).toBe(home);
});

test("a compilation that fails shows its log, and what to do", async ({ page, compiling: { origin, link }, build, shot }) => {
  await signIn(page, link);
  await ready(page);
  await expect(card(page)).toHaveAttribute("data-state", "compiling");
  build.ends(1);
  await expect(card(page)).toHaveAttribute("data-state", "failed");
  await expect(card(page)).toContainText("The practice cluster can’t be compiled: the build ended unexpectedly (exit status 1).");
  await expect(card(page).locator(".advice")).toContainText("make run");
  await expect(page.locator("pre.start-log")).toHaveText(/# k8s.io\/kubernetes\/pkg\/apis\/core\s+types.go:12:2: <b>no space left<\/b> on device/);
  await expect(page.locator('[data-state="ready"]'), "the kubeconfig's contexts work").toHaveCount(2);
  await shot("failed");
  await page.goto(`${origin}/learn`);
  await expect(page.locator("main")).toContainText("can’t be compiled");
});
