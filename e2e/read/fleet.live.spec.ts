// A kubeconfig with 500 contexts: the home page asks only those that it shows, and menus are searched.
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { listening } from "../harness/forward.ts";
import { expect, ready, test } from "../harness/live.ts";
import { attributes, menu } from "../harness/look.ts";
import { own } from "../harness/own.ts";

const name = (at: number): string => `prod-${String(at).padStart(3, "0")}`;

/** What an API server without objects answers. */
const answers: Record<string, string> = {
  "/version": `{"gitVersion":"v1.33.2"}`,
  "/api": `{"kind":"APIVersions","versions":["v1"]}`,
  "/apis": `{"kind":"APIGroupList","groups":[]}`,
  "/api/v1": `{"kind":"APIResourceList","groupVersion":"v1","resources":[{"name":"pods","namespaced":true,"kind":"Pod","verbs":["get","list","watch"]}]}`,
  "/api/v1/nodes": `{"kind":"Table","apiVersion":"meta.k8s.io/v1","columnDefinitions":[{"name":"Status","type":"string"}],"rows":[{"cells":["Ready"],"object":{"metadata":{"name":"a"}}}]}`,
  "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews": `{"kind":"SelfSubjectAccessReview","status":{"allowed":true}}`,
  "/readyz": "ok",
};

/** One server for all contexts, each below its own path. Of each 25, one responds, 12 never do, and no port listens for the others. */
async function fleet(file: string) {
  const asked = new Set<string>();
  const server = createServer((request, response) => {
    const [, context, path] = /^\/([^/]+)(\/[^?]*)/.exec(request.url!)!;
    asked.add(context!);
    if (Number(context!.slice(-3)) % 25 !== 0) return; // no response
    const body = answers[path!];
    response.writeHead(body === undefined ? 404 : 200, { "Content-Type": path === "/readyz" ? "text/plain" : "application/json" });
    response.end(body ?? `{"kind":"Status","code":404,"message":"not found"}`);
  });
  const address = `http://127.0.0.1:${await listening(server)}`;
  const all = Array.from({ length: 500 }, (_, at) => at);
  const clusters = all.map((at) => ({ name: name(at), cluster: { server: `${at % 25 > 12 ? "http://127.0.0.1:1" : address}/${name(at)}` } }));
  const contexts = all.map((at) => ({ name: name(at), context: { cluster: name(at), user: "u" } }));
  writeFileSync(file, JSON.stringify({ apiVersion: "v1", kind: "Config", clusters, users: [{ name: "u", user: {} }], contexts }));
  return {
    asked,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test("500 contexts: only those in sight are asked, and menus are searched", async ({ page }, info) => {
  test.setTimeout(120_000);
  const kubeconfig = info.outputPath("contexts");
  const servers = await fleet(kubeconfig);
  const fieldmark = await own(page, info, kubeconfig, name(0));
  const context = (at: number) => page.locator(`[data-cluster="${name(at)}"]`);
  const shown = () => attributes(page.locator("tr[data-cluster]"), "data-cluster");
  const unseen = async (): Promise<string[]> => {
    const seen = await shown();
    return [...servers.asked].filter((one) => !seen.includes(one));
  };
  /** On a busy machine, a server can take longer than Fieldmark waits. Then the page asks again after a reload. */
  const connects = (at: number): Promise<void> =>
    expect(async () => {
      if ((await context(at).getAttribute("data-state")) === "unreachable") await page.reload();
      await expect(context(at)).toContainText("1 node ready", { timeout: 5_000 });
    }).toPass();
  try {
    const documents = ["/", `/c/${name(0)}/api/v1/pods`, "/learn"];
    for (const address of documents) {
      const body = await (await page.request.get(fieldmark.origin + address)).text();
      expect(body.length, `bytes of ${address}`).toBeLessThan(300_000);
    }
    await page.goto(fieldmark.origin);
    await ready(page);
    await connects(0);
    await expect(context(0)).toContainText("v1.33.2");
    await expect(context(1)).toHaveAttribute("data-state", "unreachable");
    await expect(context(13)).toContainText("Nothing listens");
    expect(await shown()).toHaveLength(25);
    expect(await unseen()).toEqual([]);

    // What is typed is found among all contexts. The page stays the same, and the text stays in its field.
    servers.asked.clear();
    await page.getByLabel("Name", { exact: true }).pressSequentially("prod 475");
    await expect(page).toHaveURL(`${fieldmark.origin}/?q=prod+475`);
    await expect.poll(shown).toEqual([name(475)]);
    await expect(page.getByLabel("Name", { exact: true })).toBeFocused();
    await expect(page.getByLabel("Name", { exact: true })).toHaveValue("prod 475");
    await connects(475);

    // Another page's menu doesn't list it, but finds it.
    await page.goto(`${fieldmark.origin}/c/${name(0)}`);
    await ready(page);
    servers.asked.clear();
    await menu(page, "cluster").locator("summary").click();
    await expect(menu(page, "cluster").getByRole("link")).toHaveCount(21); // with All clusters…
    await menu(page, "cluster").getByRole("button", { name: "Find one of 500 contexts…" }).click();
    await expect(page.getByRole("dialog", { name: "Find another context" })).toBeVisible();
    await page.keyboard.type("450");
    await expect(page.getByRole("option", { name: name(450) })).toBeVisible();
    expect([...servers.asked].filter((one) => one !== name(0))).toEqual([]);
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(`${fieldmark.origin}/c/${name(450)}`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(name(450));
  } finally {
    await fieldmark.stop();
    await servers.stop();
  }
});
