// Shells in a real browser, in containers of the practice cluster.
import { mkdirSync } from "node:fs";
import { start } from "../harness/fieldmark.ts";
import { guestKubeconfig } from "../harness/guest.ts";
import { expect, ready, test } from "../harness/live.ts";
import { own } from "../harness/own.ts";
import { openShell, opened, run, runningPod, screen, shown } from "../harness/shell.ts";
import { signIn } from "../harness/session.ts";
import { recall } from "../harness/shared.ts";

// A connection that never opens is asked about, and the answer is a refusal.
test.use({ provoked: /^(400|403|404) for .*\/clusters\/|WebSocket connection to .* failed/ });

test("a command, its exit code, and a second connection beside it", async ({ page, api, namespace }) => {
  const scripts: string[] = [];
  page.on("request", (request) => void (request.url().includes("/static/terminal") && scripts.push(request.url())));
  const path = await runningPod(api, namespace);
  await page.goto(`/c/practice${path}`);
  await ready(page);
  expect(scripts, "where no terminals are").toEqual([]);
  await page.getByRole("link", { name: "Shell", exact: true }).click();
  await openShell(page);
  expect(scripts).toHaveLength(1);
  await run(page, "echo one$((1+1))three");
  await expect(screen(page)).toContainText("one2three");
  const connection = page.getByRole("region", { name: "Open connections", exact: true }).getByRole("row", { name: `${namespace}/web` });
  await expect(connection).toContainText("this page");

  await page.evaluate(() => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", "echo pas$((1+1))ted\n");
    document.activeElement!.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  });
  await expect(screen(page)).toContainText("pas2ted");

  const columns = async () => {
    await run(page, "echo size $(stty size)");
    await expect(screen(page)).toContainText(/size \d+ \d+/);
    return Number(/size \d+ (\d+)(?!.*size \d)/s.exec(await screen(page).innerText())![1]);
  };
  const wide = await columns();
  await page.setViewportSize({ width: 1000, height: 900 });
  await expect.poll(columns).toBeLessThan(wide);

  await openShell(page);
  await expect(page.locator(".connection-tabs button")).toHaveCount(2);
  await expect(screen(page)).not.toContainText("one2three");
  await run(page, "exit 3");
  await expect(shown(page).locator(".ending")).toContainText("ended with exit code 3");
  await page.getByRole("button", { name: "Open a new shell" }).click();
  await opened(page);
  await run(page, "echo again$((3+4))");
  await expect(screen(page)).toContainText("again7");
  await page.keyboard.press("F6");
  await expect(page.locator(".connection-tabs button").nth(1)).toBeFocused();
  await page.locator(".connection-tabs button").first().click();
  await expect(shown(page).locator("textarea")).toBeFocused();
  await run(page, "echo still$((2+2))");
  await expect(screen(page)).toContainText("still4");
  await page.getByRole("button", { name: "End the connection" }).click();
  await expect(page.locator(".connection-tabs button")).toHaveCount(1);
});

test("hostile terminal output: the window keeps its name, the clipboard its text, and links are only text", async ({ page, api, namespace }) => {
  await page.addInitScript(() => {
    Object.assign(globalThis, { copied: [] });
    Object.defineProperty(navigator, "clipboard", { value: { writeText: async (text: string) => void (globalThis as unknown as { copied: string[] }).copied.push(text) } });
  });
  const path = await runningPod(api, namespace);
  await page.goto(`/c/practice${path}?tab=shell`);
  await ready(page);
  const title = await page.title();
  await page.emulateMedia({ reducedMotion: "reduce" }); // the colors must be right without any change that moves, too
  const ink = () => screen(page).evaluate((tree) => getComputedStyle(tree.closest(".xterm")!.querySelector(".xterm-rows")!).color);
  await openShell(page);
  const before = await ink();
  const token = (name: string) => page.evaluate((token) => getComputedStyle(document.documentElement).getPropertyValue(`--${token}`), name);
  expect(await token("ink")).not.toBe(await token("card"));
  const paper = () => shown(page).locator(".xterm-viewport, .xterm-scrollable-element").first().evaluate((box) => getComputedStyle(box).backgroundColor);
  expect(await paper(), "letters differ from the paper").not.toBe(before);
  const sequences = ["0;evil", "1;evil", "2;evil", "52;c;ZXZpbA==", "52;c;?", "8;;https://evil.test", "9;evil", "777;notify;a;b", "10;#ffffff", "11;#ffffff", "4;1;#ffffff"];
  for (const sequence of sequences) await run(page, `echo -e 'x\\033]${sequence}\\007y'`);
  await run(page, "echo -e '\\033[21t\\033[8;5;5t'; echo al$((1+1))l");
  await expect(screen(page)).toContainText("al2l");
  expect(await page.title()).toBe(title);
  expect(await ink()).toBe(before);
  await expect(shown(page).locator("a")).toHaveCount(0);
  const copied = () => page.evaluate(() => (globalThis as unknown as { copied: string[] }).copied);
  expect(await copied()).toEqual([]);

  await run(page, "echo -e '\\033[2J\\033[H'; echo cop$((1+1))ied");
  await screen(page).getByText("cop2ied", { exact: true }).first().waitFor();
  const { x, y } = (await shown(page).locator(".xterm-screen").boundingBox())!;
  await page.mouse.move(x + 1, y + 4);
  await page.mouse.down();
  await page.mouse.move(x + 200, y + 60, { steps: 4 });
  await page.mouse.up();
  await page.keyboard.press("Control+Shift+C");
  await expect.poll(copied).toEqual([expect.stringContaining("cop2ied")]);
});

test("a shell that isn’t there, and a debug container", async ({ page, api, namespace }) => {
  const path = await runningPod(api, namespace);
  await page.goto(`/c/practice${path}?tab=shell&command=zsh`);
  await ready(page);
  await page.locator("#open-connection").click();
  await expect(shown(page).locator(".ending")).toContainText("has no “zsh” that it can run");
  await page.getByRole("button", { name: "Try sh", exact: true }).click();
  await opened(page);
  await run(page, "echo he$((1+1))re");
  await expect(screen(page)).toContainText("he2re");

  await page.getByRole("radio", { name: "Debug container" }).check();
  await expect(page.locator("#lasting")).toContainText("can’t be removed");
  await expect(page.locator("#verdict")).toContainText("accepts the container");
  await page.getByRole("button", { name: "Add the container debugger" }).click();
  await expect(page.locator(".connection-tabs button")).toHaveCount(2, { timeout: 30_000 });
  await opened(page);
  await page.keyboard.type("echo de$((1+1))bug\n");
  await expect(screen(page)).toContainText("de2bug");
  expect((await api.get(path)) as unknown).toMatchObject({ spec: { ephemeralContainers: [{ name: "debugger", image: "busybox:1.37", stdin: true, tty: true }] } });
  await page.keyboard.type("exit 4\n");
  await expect(shown(page).locator(".ending")).toContainText("exit code 4");
});

test("a connection that breaks is told, and isn’t opened again by itself", async ({ page, api, namespace }) => {
  const path = await runningPod(api, namespace);
  let times = 0;
  const sockets: { close(): Promise<void> }[] = [];
  await page.routeWebSocket(/\/exec\?/, (near) => {
    times++;
    near.connectToServer();
    sockets.push({ close: () => near.close({ code: 4001 }) });
  });
  await page.goto(`/c/practice${path}?tab=shell`);
  await ready(page);
  await openShell(page);
  await sockets[0]!.close();
  await expect(shown(page).locator(".ending")).toContainText("a new connection is a new shell");
  expect(times).toBe(1);
  await page.getByRole("button", { name: "Open a new shell" }).click();
  await opened(page);
  expect(times).toBe(2);
});

test.describe("on its own", () => {
  test.use({ storageState: { cookies: [], origins: [] } });

  test("outside of the practice cluster, the page asks first", async ({ page, api, namespace }, info) => {
    const path = await runningPod(api, namespace);
    const mine = await own(page, info);
    try {
      await page.goto(mine.page(`${path}?tab=shell`));
      await ready(page);
      await page.locator("#open-connection").click();
      await expect(page.getByRole("alertdialog")).toContainText(`cluster practice, namespace ${namespace}, pod web`);
      await expect(page.locator(".connection")).toHaveCount(0);
      await page.getByRole("alertdialog").getByRole("button", { name: "Open a shell in app" }).click();
      await opened(page);
      await run(page, "echo ye$((1+1))s");
      await expect(screen(page)).toContainText("ye2s");
    } finally {
      await page.goto("about:blank");
      await mine.stop();
    }
  });

  test("with --read-only, there are no shells", async ({ page, api, namespace }, info) => {
    const path = await runningPod(api, namespace);
    const home = info.outputPath("home");
    mkdirSync(home);
    const careful = await start({ args: ["--practice", "off", "--read-only"], kubeconfig: recall().practice, home, log: info.outputPath("fieldmark.log"), patience: 60_000 });
    try {
      await signIn(page, careful.link);
      await page.goto(`${careful.origin}/c/practice${path}?tab=shell`);
      await ready(page);
      await expect(page.locator("#limit")).toContainText("--read-only. A shell can change what runs in a container");
      await expect(page.locator("#open-connection")).toBeDisabled();
      const refused = await page.evaluate((path) => new Promise((told) => {
        const socket = new WebSocket(`ws://${location.host}/clusters/practice${path}/exec?command=sh&stdout=true`, ["v5.channel.k8s.io"]);
        socket.onopen = () => told(false);
        socket.onclose = () => told(true);
      }), path);
      expect(refused, "the guard refuses the WebSocket").toBe(true);
    } finally {
      await page.goto("about:blank");
      await careful.stop();
    }
  });

  test("without the permission, the page says which verb is missing", async ({ page, api, namespace }, info) => {
    const path = await runningPod(api, namespace);
    const kubeconfig = info.outputPath("guest");
    const look = { apiGroups: [""], resources: ["pods"], verbs: ["get", "list", "watch"] };
    await guestKubeconfig(api, namespace, [look, { apiGroups: [""], resources: ["pods/exec"], verbs: ["get"] }], kubeconfig);
    const home = info.outputPath("home");
    mkdirSync(home);
    const guest = await start({ args: ["--practice", "off"], kubeconfig, home, log: info.outputPath("fieldmark.log"), patience: 60_000 });
    try {
      await signIn(page, guest.link);
      await page.goto(`${guest.origin}/c/guest${path}?tab=shell`);
      await ready(page);
      await expect(page.getByText("permission to create pods/exec.")).toBeVisible();
      await page.locator("#open-connection").click();
      await page.getByRole("alertdialog").getByRole("button", { name: "Open a shell in app" }).click();
      await expect(shown(page).locator(".ending")).toContainText("nothing was run");
      await expect(shown(page).locator(".ending")).toContainText("You need permission to create pods/exec.");
      await page.getByRole("radio", { name: "Attach" }).check();
      await expect(page.locator("#unready")).toContainText("You don’t have permission to get pods/attach");
    } finally {
      await page.goto("about:blank");
      await guest.stop();
    }
  });
});
