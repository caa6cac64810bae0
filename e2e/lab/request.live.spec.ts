// The request console: any request, its response as it arrives, and the same request from a terminal.
import { type Locator, type Page, type Route } from "@playwright/test";
import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { cursor, select, whole } from "../harness/editor.ts";
import { root, start } from "../harness/fieldmark.ts";
import { expect, ready, settled, test } from "../harness/live.ts";
import { signIn } from "../harness/session.ts";
import { recall } from "../harness/shared.ts";

test.describe.configure({ timeout: 150_000 });
// Some requests are refused on purpose.
test.use({ provoked: /^(401|403|404|405|406|409|410|415|422) for .*\/clusters\// });

const address = (query: Record<string, string> = {}, cluster = "practice"): string => `/c/${cluster}/-/request?${new URLSearchParams(query)}`;
const path = (page: Page): Locator => page.getByLabel("Path", { exact: true });
const method = (page: Page): Locator => page.locator("#method");
const answer = (page: Page): Locator => page.locator("#answer");
const outcome = (page: Page): Locator => page.locator("#outcome");

async function open(page: Page, query: Record<string, string> = {}, cluster = "practice"): Promise<void> {
  await page.goto(address(query, cluster));
  await ready(page);
}

async function send(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Send", exact: true }).click();
}

/** Waits for the whole answer. */
async function done(page: Page, status: number): Promise<void> {
  await expect(outcome(page)).toHaveAttribute("data-state", "whole");
  await expect(outcome(page)).toContainText(String(status));
}

/** Makes a text the body, as one who types it. */
async function write(page: Page, text: string): Promise<void> {
  await page.locator("[data-mounted]").waitFor();
  await select(page, 0, (await whole(page) ?? "").length);
  await page.keyboard.press("Delete");
  await page.keyboard.insertText(text);
  expect(await cursor(page)).toBeGreaterThan(0);
}

const offered = (page: Page): Promise<string[]> => page.locator("#console-paths option").evaluateAll((all) => all.map((o) => (o as HTMLOptionElement).value));

test("a GET, its path completed from discovery and from the cluster, by keyboard alone", async ({ page }) => {
  await open(page);
  await path(page).focus();
  await page.keyboard.press("Control+A");
  await page.keyboard.insertText("/apis/apps/v1/namespaces/shop/depl");
  await expect.poll(() => offered(page)).toContain("/apis/apps/v1/namespaces/shop/deployments");
  await page.keyboard.insertText("oyments/");
  await expect.poll(() => offered(page)).toContain("/apis/apps/v1/namespaces/shop/deployments/storefront");
  await page.keyboard.insertText("storefront/sc");
  await expect.poll(() => offered(page)).toContain("/apis/apps/v1/namespaces/shop/deployments/storefront/scale");
  await page.keyboard.type("ale");
  await page.keyboard.press("Enter");
  await done(page, 200);
  await expect(answer(page)).toContainText('"kind": "Scale"');
  await expect(page.locator("#may")).toContainText("You have permission to");
  await expect(page.locator("#may")).toContainText("get deployments/scale.apps storefront in the namespace shop");
  await expect(page.locator("#rule")).toHaveText("apiGroups [*]; resources [*]; verbs [*]");
  // Its entry in the wire log is the very request.
  await expect(answer(page).getByRole("link", { name: "Show in the wire log" })).toHaveAttribute("href", /\/-\/requests\?entry=\d+$/);
});

test("parameters explain their effect on the verb, and are added to the path", async ({ page }) => {
  await open(page, { path: "/api/v1/pods" });
  await page.getByLabel("limit", { exact: true }).fill("3");
  await expect(path(page)).toHaveValue("/api/v1/pods?limit=3");
  await page.getByLabel("Accept").selectOption("Table");
  await expect(page.getByLabel("includeObject")).toBeVisible();
  await page.getByLabel("includeObject").selectOption("None");
  await send(page);
  await done(page, 200);
  await expect(answer(page).locator("tbody tr")).toHaveCount(3);
  await expect(page).toHaveURL(/accept=Table/);
  await expect(page).toHaveURL(/limit%3D3/);
  await page.getByLabel("watch", { exact: true }).selectOption("true");
  await expect(page.getByLabel("sendInitialEvents")).toBeVisible();
  await expect(page.getByLabel("continue")).toHaveCount(0);
  await expect(page.locator("#may")).toContainText("watch pods");
});

test("a SubjectAccessReview: made from its template, and nothing is there to be read back", async ({ page }) => {
  const reviews = "/apis/authorization.k8s.io/v1/subjectaccessreviews";
  await open(page, { method: "POST", path: reviews });
  await page.getByRole("button", { name: "SubjectAccessReview" }).click();
  await expect.poll(() => whole(page)).toContain('"user"');
  await send(page);
  await done(page, 201);
  await expect(answer(page)).toContainText('"allowed": false');
  await method(page).selectOption("GET");
  await send(page);
  await done(page, 405);
  await expect(answer(page)).toContainText("So you can’t get, list or delete it.");
  await path(page).fill(`${reviews}/any`);
  await send(page);
  await done(page, 404);
});

test("an eviction as a dry run", async ({ page, api }) => {
  const pod = (await api.list("/api/v1/namespaces/shop/pods")).find(({ metadata }) => metadata.name.startsWith("storefront"))!;
  const at = `/api/v1/namespaces/shop/pods/${pod.metadata.name}`;
  await open(page, { method: "POST", path: `${at}/eviction?dryRun=All` });
  await page.getByRole("button", { name: "Eviction" }).click();
  await send(page);
  await done(page, 201);
  expect((await api.get(at)).metadata.uid).toBe(pod.metadata.uid);
});

test("a token is neither shown nor kept", async ({ page, namespace, fieldmark }) => {
  await open(page, { method: "POST", path: `/api/v1/namespaces/${namespace}/serviceaccounts/default/token` });
  await page.getByRole("button", { name: "TokenRequest" }).click();
  const answered = answerOf(page, /\/clusters\/.*\/token/);
  await send(page);
  await done(page, 201);
  const token: string = (await answered).status.token;
  expect(token.length).toBeGreaterThan(100);
  await expect(answer(page)).toContainText("hidden");
  await expect(answer(page)).not.toContainText(token.slice(0, 20));
  for (const tab of ["Raw", "Bytes", "Headers"]) {
    await page.getByRole("button", { name: tab, exact: true }).click();
    await expect(answer(page)).not.toContainText(token.slice(0, 20));
  }
  const kept = await page.evaluate(() => JSON.stringify(localStorage) + location.href);
  expect(kept).not.toContain(token.slice(0, 20));
  expect(kept).not.toContain("expirationSeconds");
  const log = await page.request.get(`${fieldmark.origin}/c/practice/-/requests`);
  expect(await log.text()).not.toContain(token.slice(0, 20));
  await page.getByRole("button", { name: "Formatted" }).click();
  await page.getByRole("button", { name: "Show secrets" }).click();
  await expect(answer(page)).toContainText(token);
});

test("a watch streams, pauses, and is canceled", async ({ page, api, namespace }) => {
  const maps = `/api/v1/namespaces/${namespace}/configmaps`;
  await open(page, { path: `${maps}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true` });
  await send(page);
  await expect(answer(page)).toContainText("the initial state ends here");
  await api.create(maps, { metadata: { name: "seen" }, data: { a: "b" } });
  await expect(answer(page)).toContainText(`ConfigMap ${namespace}/seen at`);
  await page.getByRole("button", { name: "Pause" }).click();
  await api.create(maps, { metadata: { name: "later" } });
  await expect(page.locator("#counted")).toContainText(/[1-9]\d* since the pause/);
  await expect(answer(page)).not.toContainText("later");
  await page.getByRole("button", { name: /seen at/ }).click();
  await expect(answer(page).locator(".stream pre")).toContainText('"a": "b"');
  await page.getByRole("button", { name: "Pause" }).click();
  await expect(answer(page)).toContainText("later at");
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(outcome(page)).toHaveAttribute("data-state", "canceled");
});

test("the real log of kubectl -v=8 becomes the request", async ({ page, namespace }) => {
  await promisify(execFile)(join(root, "bin", "kubectl"), ["--kubeconfig", recall().practice, "--context", "practice", "-n", namespace, "create", "configmap", "logged", "--from-literal=a=b"]);
  for (const level of ["8", "9"]) {
    await open(page);
    const { stderr } = await promisify(execFile)(join(root, "bin", "kubectl"), [
      "--kubeconfig", recall().practice, "--context", "practice", "-n", namespace, `-v=${level}`, "label", "--overwrite", "configmap", "logged", `tried=v${level}`,
    ]);
    await page.getByLabel("Paste a request").fill(stderr);
    await page.getByRole("button", { name: /^PATCH/ }).click();
    await expect(method(page)).toHaveValue("PATCH");
    await expect(path(page)).toHaveValue(`/api/v1/namespaces/${namespace}/configmaps/logged?fieldManager=kubectl-label`);
    await expect(page.getByLabel("Content-Type")).toHaveValue("merge");
    await expect.poll(() => whole(page)).toBe(`{"metadata":{"labels":{"tried":"v${level}"}}}`);
    await page.getByLabel("dryRun").selectOption("All");
    await send(page);
    await done(page, 200);
    await expect(answer(page)).toContainText(`"tried": "v${level}"`);
  }
});

test("refusals are explained: 404, 405, 406, 415, 422", async ({ page, namespace }) => {
  const pods = `/api/v1/namespaces/${namespace}/pods`;
  for (const [query, status, words] of [
    [{ path: `${pods}/nosuch` }, 404, "Not found"],
    [{ method: "PUT", path: pods, body: "{}", contentType: "JSON" }, 405, "Method not allowed"],
    [{ path: pods, accept: "text/html" }, 406, "Media type not available"],
    [{ method: "PATCH", path: `/api/v1/namespaces/${namespace}`, body: "{}", contentType: "application/json" }, 415, "Media type of the body not supported"],
    [{ method: "POST", path: pods, body: '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"Not Valid"}}', contentType: "JSON" }, 422, "Invalid object"],
  ] as const) {
    await open(page, query);
    await send(page);
    await done(page, status);
    await expect(answer(page)).toContainText(words);
  }
  await expect(answer(page)).toContainText("spec.containers");
});

test("an address brings the request back, and so does the history", async ({ page, namespace }) => {
  const maps = `/api/v1/namespaces/${namespace}/configmaps`;
  await open(page, { method: "POST", path: `${maps}?dryRun=All` });
  await write(page, '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"tried"}}');
  await expect(page).toHaveURL(/tried/);
  await send(page);
  await done(page, 201);
  await page.reload();
  await ready(page);
  await expect(method(page)).toHaveValue("POST");
  await expect.poll(() => whole(page)).toContain("tried");
  await expect(page.locator(".history li")).toHaveCount(1);
  await open(page, { path: "/version" });
  await page.locator(".history a").first().click();
  await expect(path(page)).toHaveValue(`${maps}?dryRun=All`);
  await expect.poll(() => whole(page)).toContain("tried");
  await page.getByRole("button", { name: "Clear history" }).click();
  await expect(page.locator(".history")).toHaveCount(0);
});

test("the lines for curl and kubectl, executed, give the same answer", async ({ page, api, namespace, fieldmark }, info) => {
  const maps = `/api/v1/namespaces/${namespace}/configmaps`;
  await api.create(maps, { metadata: { name: "it" }, data: { quote: "it's \"$HOME\"" } });
  const kubeconfig = info.outputPath("kubeconfig");
  mkdirSync(join(kubeconfig, ".."), { recursive: true });
  const cluster = { server: `${fieldmark.origin.replace("http:", "https:")}/clusters/practice`, "insecure-skip-tls-verify": true };
  writeFileSync(kubeconfig, JSON.stringify({
    apiVersion: "v1", kind: "Config", "current-context": "x", contexts: [{ name: "x", context: { cluster: "x", user: "x" } }],
    clusters: [{ name: "x", cluster }], users: [{ name: "x", user: { token: fieldmark.token } }],
  }));
  const env = { ...process.env, FIELDMARK_TOKEN: fieldmark.token, KUBECONFIG: kubeconfig, PATH: `${join(root, "bin")}:${process.env["PATH"]}` };
  const run = async (line: string) => JSON.parse((await promisify(execFile)("sh", ["-c", line], { env })).stdout);
  for (const query of [
    { path: `${maps}/it` },
    { path: `${maps}?labelSelector=!nosuch,a notin (b)&limit=5` },
    { method: "POST", path: `${maps}?dryRun=All&fieldManager=it's me`, contentType: "JSON", body: JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "new" }, data: { quote: "it's \"$HOME\" and `id`" } }) },
    { method: "PATCH", path: `${maps}/it?dryRun=All&fieldManager=me`, contentType: "merge", body: '{"metadata":{"labels":{"a":"b"}}}' },
  ]) {
    await open(page, query);
    const answered = answerOf(page, /\/clusters\/.*configmaps/);
    await send(page);
    const expected = await answered;
    const curl = await run((await page.getByLabel("Copy as curl").getAttribute("data-copy"))!);
    expect(plain(curl)).toEqual(plain(expected));
    await page.getByRole("button", { name: "kubectl", exact: true }).click();
    await expect(page.getByLabel(/^Copy as kubectl/).first()).toBeVisible();
    const raw = page.getByLabel("Copy as kubectl --raw");
    const exact = (await raw.count()) > 0;
    const line = exact ? raw : page.getByLabel("Copy as kubectl", { exact: true });
    const printed = await run((await line.getAttribute("data-copy"))!);
    // Commands that only come near print an object of their own, with the owners as they were.
    if (!exact) for (const object of [printed, expected]) delete object.metadata.managedFields;
    expect(plain(printed)).toEqual(plain(expected));
  }
});

/** What the next request to such an address is answered, read before the page has it: what a page read, browsers needn't keep. */
function answerOf(page: Page, address: RegExp): Promise<any> {
  return new Promise((told, failed) => {
    const read = async (route: Route) => {
      const response = await route.fetch();
      told(await response.json());
      await route.fulfill({ response });
    };
    page.route(address, (route) => read(route).catch(failed), { times: 1 }).catch(failed);
  });
}

/** What differs from one dry run to the next: times, and identities of what was never stored. */
function plain(object: any): unknown {
  return JSON.parse(JSON.stringify(object, (key, value) => (["uid", "creationTimestamp", "time", "resourceVersion", "manager"].includes(key) ? "" : value)));
}

test("the console asks before it writes to a cluster that isn't for practice, and --read-only says what is allowed", async ({ page, api, namespace }, info) => {
  const maps = `/api/v1/namespaces/${namespace}/configmaps`;
  for (const readOnly of [false, true]) {
    const home = info.outputPath(`home-${readOnly}`);
    mkdirSync(home, { recursive: true });
    const own = await start({ args: ["--practice", "off", ...(readOnly ? ["--read-only"] : [])], kubeconfig: recall().practice, home, log: info.outputPath("fieldmark.log"), patience: 60_000 });
    try {
      await signIn(page, own.link);
      const slug = "practice"; // the kubeconfig's context of this name: no practice cluster runs here
      const body = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"asked"}}';
      await page.goto(own.origin + address({ method: "POST", path: maps, contentType: "JSON", body }, slug));
      await settled(page);
      if (readOnly) {
        await expect(page.locator("#may")).toContainText("--read-only");
        await expect(page.getByRole("button", { name: "Send", exact: true })).toBeDisabled();
        await page.getByLabel("dryRun").selectOption("All");
        await send(page);
        await done(page, 409);
        continue;
      }
      await send(page);
      const ask = page.getByRole("alertdialog");
      await expect(ask).toContainText("This writes to");
      await expect(ask.getByRole("button", { name: "Send for real", exact: true })).toBeFocused();
      await ask.getByRole("button", { name: "Send as a dry run" }).click();
      await done(page, 201);
      expect((await api.list(maps)).map(({ metadata }) => metadata.name)).not.toContain("asked");
      await page.getByLabel("dryRun").selectOption("");
      await send(page);
      await ask.getByRole("button", { name: "Send for real", exact: true }).click();
      // The page still shows the dry run's 201 when this is clicked.
      await expect.poll(async () => (await api.list(maps)).map(({ metadata }) => metadata.name)).toContain("asked");
      await done(page, 201);
    } finally {
      await page.goto("about:blank"); // that its server goes is none of the page's business
      await own.stop();
    }
  }
});

test("who may not is told so, and may ask all the same", async ({ page }) => {
  await open(page, { path: "/api/v1/namespaces/shop/secrets" }, "practice-viewer");
  await expect(page.locator("#may")).toContainText("You don’t have permission to list secrets in the namespace shop.");
  await send(page);
  await done(page, 403);
  await expect(answer(page)).toContainText("You need permission to list secrets");
});
