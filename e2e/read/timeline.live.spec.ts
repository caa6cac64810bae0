// The timeline of an object: every version that arrives while its page is open, its changes and their managers. Versions can be
// selected, compared, written to a file and read again.
import { type Locator, type Page } from "@playwright/test";
import { readFileSync } from "node:fs";
import { type Api } from "../harness/api.ts";
import { expectAccessible } from "../harness/axe.ts";
import { kubectl } from "../harness/kubectl.ts";
import { code } from "../harness/look.ts";
import { announced, born, expect, live, liveness, openLive, pagesAsked, test } from "../harness/live.ts";

const tab = (page: Page, name: string) => page.getByRole("navigation", { name: "Views of this object" }).getByRole("link", { name });
const step = (page: Page, n: number) => page.locator(`[data-version="${n}"]`);
const steps = (page: Page) => page.locator(".version");
const change = (page: Page, path: string) => page.locator(`.changes [data-path="${path}"]`);
const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });
const slider = (page: Page) => page.getByRole("slider", { name: "Version" });

test.use({ provoked: /^426 for .*\/socket$/ }); // a page whose connection is cut asks whether it is signed out

/** Two managers of one ConfigMap: one applies its manifest, the other patches. */
class Subject {
  readonly path: string;

  constructor(
    private readonly api: Api,
    namespace: string,
    readonly name = "subject",
  ) {
    this.path = `/api/v1/namespaces/${namespace}/configmaps/${name}`;
  }

  apply(data: object): Promise<unknown> {
    return this.api.apply(this.path, JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: this.name }, data }), "gitops");
  }

  async patch(body: object, manager = "operator"): Promise<void> {
    const headers = { "Content-Type": "application/merge-patch+json" };
    const answer = await this.api.fetch(`${this.path}?fieldManager=${manager}`, { method: "PATCH", headers, body: JSON.stringify(body) });
    expect(answer.status).toBe(200);
  }
}

test("changes of two managers are listed version by version, in every view", async ({ page, api, namespace, shot }) => {
  test.slow(); // four views, and every version in them
  const subject = new Subject(api, namespace);
  await subject.apply({ level: "1", mood: "calm" });
  await openLive(page, `/c/practice${subject.path}`);
  const document = await born(page);
  await subject.patch({ data: { level: "7" } });
  await expect(code(page)).toContainText('level: "7"');

  // A view that needs the server is another page; what was recorded goes along.
  await tab(page, "Schema").click();
  await live(page);
  await subject.apply({ level: "1", mood: "calm" });
  await expect.poll(async () => (await api.get(subject.path))["data"].level).toBe("1");
  await tab(page, "Events").click();
  await live(page);
  await subject.patch({ metadata: { labels: { team: "shop" } }, data: { mood: null } }, "labeller");
  const asked = pagesAsked(page);
  await tab(page, "Timeline").click();
  await expect(page).toHaveURL(/\?tab=timeline$/);
  await expect(steps(page)).toHaveCount(4);
  await expect(page.locator(".missed"), "nothing was missed").toHaveCount(0);

  await expect(step(page, 4)).toContainText("labeller");
  await expect(change(page, ".metadata.labels.team")).toHaveAttribute("data-change", "added");
  await expect(change(page, ".data.mood")).toHaveAttribute("data-change", "removed");
  await step(page, 3).click();
  await expect(step(page, 3)).toHaveAttribute("aria-expanded", "true");
  await expect(step(page, 3)).toContainText(/gitops\s*Apply/);
  await expect(change(page, ".data.level")).toContainText(/"7"\s*→\s*became\s*"1"/);
  await expect(change(page, ".data.level")).toContainText(/operator\s*Update\s*→\s*then\s*Gi\s*gitops\s*Apply/);
  await expect(code(page).locator("[data-mark=came]")).toHaveText([/level: "1"/]);
  await expect(code(page).locator("[data-mark=went]")).toHaveText([/level: "7"/]);
  await shot("timeline-step");

  await slider(page).focus();
  await page.keyboard.press("ArrowLeft");
  await expect(step(page, 2)).toHaveAttribute("aria-current", "true");
  await expect(code(page)).toContainText("mood: calm");
  await page.keyboard.press("Home");
  await expect(slider(page)).toHaveAttribute("aria-valuetext", /^version 1 of 4, .*first version seen$/);
  await expect(code(page).locator("[data-mark]")).toHaveCount(0);
  await page.keyboard.press("ArrowRight");
  await expect(step(page, 2)).toHaveAttribute("aria-current", "true");
  await page.keyboard.press("End");
  await expect(step(page, 4)).toHaveAttribute("aria-current", "true");
  await page.keyboard.press("j");
  await expect(step(page, 3)).toBeFocused();

  await page.getByRole("spinbutton", { name: "Compare with" }).fill("1");
  await button(page, "Newest").click();
  await expect(page.getByRole("heading", { name: "Version 4, compared with version 1" })).toBeVisible();
  await expect(code(page).locator("[data-mark]")).toHaveText([/mood: calm/, /labels:/, /team: shop/]);
  expect(asked, "no page was asked for").toEqual([]);
  expect(await born(page)).toBe(document);
});

test("nothing that explains a recording ends it", async ({ page, api, namespace }) => {
  test.slow(); // each help is a document of its own
  const subject = new Subject(api, namespace);
  await subject.apply({ level: "1" });
  await openLive(page, `/c/practice${subject.path}?tab=timeline`);
  const document = await born(page);
  await subject.patch({ data: { level: "7" } });
  await expect(steps(page)).toHaveCount(2);
  const besides = async (help: () => Promise<void>, leads: RegExp) => {
    const [guide] = await Promise.all([page.context().waitForEvent("page"), help()]);
    await expect(guide).toHaveURL(leads);
    expect(await guide.evaluate(() => window.opener), "the new tab can't reach this one").toBeNull();
    await guide.close();
    await expect(steps(page)).toHaveCount(2);
  };
  const marks = page.locator("main a.why");
  for (let n = (await marks.count()) - 1; n >= 0; n--) {
    await marks.nth(n).press("Enter");
    await besides(() => page.locator("#term").getByRole("link", { name: /^Open/ }).click(), /\/learn\//);
    await page.keyboard.press("Escape");
  }
  await besides(() => page.getByRole("link", { name: "Learn", exact: true }).click(), /\/learn$/);
  const find = async () => {
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Find anything" }).fill("three ways out");
    await expect(page.getByRole("option").first()).toContainText("new tab");
  };
  await find();
  await besides(() => page.keyboard.press("Enter"), /\/learn\//);
  await find();
  await besides(() => page.getByRole("option").first().click(), /\/learn\//);
  await expect(page.getByRole("dialog"), "the palette is done").toHaveCount(0);

  await page.getByRole("button", { name: "Change colors to light" }).click();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "light");
  await page.getByRole("button", { name: "Change colors to dark" }).click();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await page.getByRole("button", { name: "Change colors to the system’s setting" }).click();
  await expect(page.locator("html")).not.toHaveAttribute("data-theme");
  await subject.patch({ data: { level: "8" } });
  await expect(steps(page)).toHaveCount(3);
  expect(await born(page)).toBe(document);
});

test("a fight is marked, paused, written to a file and replayed without a request", async ({ page, api, namespace, shot, tap }, info) => {
  const subject = new Subject(api, namespace);
  await subject.apply({ level: "1" });
  await openLive(page, `/c/practice${subject.path}?tab=timeline`);
  await expect(page.locator(".notice")).toContainText("No change since");
  await expect(page.getByRole("region", { name: "Managers" })).toContainText("gitops");
  for (let i = 0; i < 3; i++) {
    await subject.patch({ data: { level: "7" } });
    await subject.apply({ level: "1" });
  }
  await expect(steps(page)).toHaveCount(7);
  const contended = page.locator('[data-contended=".data.level"]');
  await expect(contended).toContainText(/came back 5 times/);
  await expect(contended).toContainText(/operator\s*Update/);
  await expect(contended).toContainText(/gitops\s*Apply/);
  await expect(step(page, 7)).toContainText("contended");
  const said = await expect.poll(async () => (await announced(page)).join(" "), { message: "said" }).toContain("1 field is contended").then(() => announced(page));
  expect(said.length, "readers of the screen are not told of each version").toBeLessThan(3);
  await subject.patch({ data: { other: "x" } });
  await expect(steps(page)).toHaveCount(8);
  await contended.getByRole("button", { name: "Only these versions" }).click();
  await expect(steps(page)).toHaveCount(6);
  await button(page, "List all").click();

  await button(page, "Pause").click();
  await subject.patch({ data: { other: "y" } });
  await expect(page.locator("#standing")).toHaveText("1 new version waits until you continue");
  await expect(steps(page)).toHaveCount(8);
  await button(page, "Continue").click();
  await expect(steps(page)).toHaveCount(9);

  const [download] = await Promise.all([page.waitForEvent("download"), button(page, "Export").click()]);
  const file = info.outputPath(download.suggestedFilename());
  await download.saveAs(file);
  expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({ format: "fieldmark.timeline/v1", path: subject.path });

  await openLive(page, "/c/practice/api/v1/namespaces/default/configmaps/kube-root-ca.crt?tab=timeline");
  const requests: string[] = [];
  tap.through = false;
  await tap.cut();
  page.on("request", (request) => requests.push(request.url()));
  await page.route("**/*", (route) => route.abort());
  await page.locator("input[type=file]").setInputFiles(file);
  await expect(page.locator("#replaying")).toContainText(subject.path);
  await expect(steps(page)).toHaveCount(9);
  await expect(page.locator('[data-contended=".data.level"]')).toContainText("came back 5 times");
  await step(page, 2).click();
  await expect(change(page, ".data.level")).toContainText("operator");
  await shot("timeline-replay");
  await page.locator("input[type=file]").setInputFiles({ name: "not.json", mimeType: "application/json", buffer: Buffer.from('{"kind":"List"}') });
  await expect(page.locator("#refused")).toContainText("not.json can’t be replayed: it isn't a timeline");
  await button(page, "Back to the object").click();
  await expect(page.locator("#replaying")).toHaveCount(0);
  // The other programs are fetched when the reader does nothing for a while.
  expect(requests.filter((url) => !/\/socket|\.wasm$/.test(url)), "nothing is asked of anybody").toEqual([]);
});

test("the first change is near the top, below one bar and one banner", async ({ page, api, namespace }) => {
  await page.setViewportSize({ width: 1400, height: 900 });
  const subject = new Subject(api, namespace);
  await subject.apply({ level: "1" });
  await openLive(page, `/c/practice${subject.path}?tab=timeline`);
  for (let i = 0; i < 3; i++) {
    await subject.patch({ data: { level: "7" } });
    await subject.apply({ level: "1" });
  }
  await expect(page.locator("#contended")).toBeVisible();
  const top = async (what: Locator) => (await what.boundingBox())!.y;
  const content = await top(page.locator("main"));
  await expect(async () => expect((await top(steps(page).first())) - content).toBeLessThanOrEqual(240)).toPass();
  await expect(page.locator("main .banner"), "what the banner says isn't said in the head, too").toHaveCount(0);
  const bar = (await page.locator(".timeline-bar").boundingBox())!;
  const slides = (await slider(page).boundingBox())!;
  expect(slides.y).toBeGreaterThanOrEqual(bar.y);
  expect(slides.y + slides.height, "the slider is in the bar").toBeLessThanOrEqual(bar.y + bar.height);
});

test("changes of status are one line, which says how many, who and when, and opens", async ({ page, api, namespace }) => {
  const path = `/api/v1/namespaces/${namespace}/pods/roost`;
  const pod = { apiVersion: "v1", kind: "Pod", metadata: { name: "roost" }, spec: { schedulerName: "nobody", containers: [{ name: "app", image: "example.com/app" }] } };
  await api.create(`/api/v1/namespaces/${namespace}/pods`, pod);
  await openLive(page, `/c/practice${path}?tab=timeline`);
  const report = (reason: string, manager: string) => api.merge(`${path}/status?fieldManager=${manager}`, { status: { reason } });
  await api.merge(`${path}?fieldManager=keeper`, { metadata: { labels: { nest: "1" } } });
  for (const [i, manager] of ["warden", "ringer", "warden"].entries()) await report(`Look${i}`, manager);
  await api.merge(`${path}?fieldManager=keeper`, { metadata: { labels: { nest: "2" } } });
  const quiet = page.locator(".quiet-steps");
  await expect(quiet).toHaveCount(1);
  await expect(quiet.locator("summary")).toHaveText(/^\s*3 status changes.*ringer.*\d\d:\d\d:\d\d/s);
  await expect(quiet.locator("summary")).toContainText("warden");
  await expect(steps(page).filter({ visible: true })).toHaveCount(3);
  await quiet.locator("summary").focus();
  await page.keyboard.press("Enter");
  await expect(steps(page).filter({ visible: true })).toHaveCount(6);
  await report("Look3", "ringer");
  await expect(step(page, 7)).toBeVisible();
  await expect(step(page, 3), "what the reader opened stays open").toBeVisible();
  await step(page, 4).click();
  await expect(change(page, ".status.reason")).toContainText(/Look0.*Look1/s);
  await expect(quiet, "the selected one stands alone, and the others are too few for a line").toHaveCount(0);
});

test("missing versions are a break in the line, and a deletion is a step", async ({ page, api, namespace, tap }) => {
  const subject = new Subject(api, namespace);
  await subject.apply({ level: "1" });
  await openLive(page, `/c/practice${subject.path}?tab=timeline`);
  await subject.patch({ data: { level: "2" } });
  await expect(steps(page)).toHaveCount(2);
  // Versions that the page is not told of, and then a fresh state.
  tap.tamper = (message) => (message.type === "events" ? undefined : message);
  await subject.patch({ data: { level: "3" } });
  const events = () => tap.heard.filter(({ type, id }) => type === "events" && id === 1); // of the object, and not of its row
  await expect.poll(() => events().length).toBeGreaterThan(1);
  tap.tamper = (message) => message;
  const { id, gen } = events().at(-1);
  const object = await api.get(subject.path);
  for (const message of [
    { type: "gap", id, gen: gen + 1, reason: "expired" },
    { type: "rows", id, gen: gen + 1, objects: [object] },
    { type: "synced", id, gen: gen + 1, resourceVersion: String(object.metadata["resourceVersion"]) },
  ])
    tap.say(JSON.stringify(message));
  await expect(page.locator(".missed"), "until the state is whole, there is another").toHaveCount(1);
  await expect(page.locator(".missed")).toHaveText(/Versions may be missing here\. The API server had deleted the versions in between/);
  await expect(steps(page)).toHaveCount(3);
  await api.delete(subject.path);
  await expect(step(page, 4)).toContainText("deleted");

  tap.through = false;
  await tap.cut();
  await expect(page.locator(".missed").first()).toContainText(/Connection lost/);
  await expect(liveness(page)).toContainText("connection lost");
});

test("of changes that come by the hundred none is lost, and the newest are listed", async ({ page, api, namespace }) => {
  const subject = new Subject(api, namespace);
  await subject.apply({ level: "1" });
  await openLive(page, `/c/practice${subject.path}?tab=timeline`);
  for (let burst = 0; burst < 15; burst++)
    await Promise.all([...Array(20).keys()].map((i) => subject.patch({ data: { [`k${i}`]: String(burst) } }, `m${i % 3}`)));
  await expect(page.locator("#facts")).toHaveText(/^301 versions/, { timeout: 20_000 });
  await expect(page.locator(".missed")).toHaveCount(0);
  await expect(steps(page), "the newest are listed").toHaveCount(100);
  await button(page, /^201 older versions/).click();
  await expect(steps(page)).toHaveCount(200);
  await slider(page).focus();
  await page.keyboard.press("Home");
  await expect(code(page)).toContainText('level: "1"');
});

test("only the length of a Secret's values is shown: on the page, in its messages, and in its file", async ({ page, namespace, tap }, info) => {
  const path = `/api/v1/namespaces/${namespace}/secrets/keys`;
  const secrets = ["first-password", "other-password", "third-pass"];
  const manifest = (value: string) => JSON.stringify({ apiVersion: "v1", kind: "Secret", metadata: { name: "keys" }, stringData: { password: value } });
  await kubectl(namespace, ["apply", "--filename", "-"], { input: manifest(secrets[0]!) });
  await openLive(page, `/c/practice${path}?tab=timeline`);
  for (const value of secrets.slice(1)) await kubectl(namespace, ["apply", "--filename", "-"], { input: manifest(value) });
  await expect(steps(page)).toHaveCount(3);
  await expect(change(page, ".data.password")).toContainText(/14 bytes, hidden.*10 bytes, hidden/s);
  const [download] = await Promise.all([page.waitForEvent("download"), button(page, "Export").click()]);
  const file = info.outputPath(download.suggestedFilename());
  await download.saveAs(file);
  const shown = [await page.content(), JSON.stringify(tap.heard), readFileSync(file, "utf8")];
  await tab(page, "Fields").click();
  await expect(page.locator("[data-path='.data.password']")).toContainText("10 bytes, hidden");
  await page.locator("[data-path='.data.password']").getByRole("link").click();
  await expect(page.locator(".explained")).toContainText("kubectl-client-side-apply");
  shown.push(await page.content());
  expect(await page.content(), "the manifest in the annotation is hidden as well").toMatch(/last-applied-configuration[^\n]*bytes, hidden/);
  for (const text of shown) for (const value of secrets) for (const form of [value, Buffer.from(value).toString("base64")]) expect(text).not.toContain(form);
});

test("accessible, before anything happens and with a change open", async ({ page, api, namespace }) => {
  const subject = new Subject(api, namespace);
  await subject.apply({ level: "1" });
  await openLive(page, `/c/practice${subject.path}?tab=timeline`);
  await expectAccessible(page);
  for (const level of ["7", "1", "7"]) await (level === "7" ? subject.patch({ data: { level } }) : subject.apply({ level }));
  await expect(steps(page)).toHaveCount(4);
  await step(page, 3).click();
  await page.mouse.move(2, 2);
  await expectAccessible(page);
});
