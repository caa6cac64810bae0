// An API server that answers lists at once, and watches late.
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { request } from "node:https";
import { listening } from "../harness/forward.ts";
import { practiceAccess } from "../harness/kubeconfig.ts";
import { expect, live, liveness, ready, test } from "../harness/live.ts";
import { rows } from "../harness/look.ts";
import { own } from "../harness/own.ts";

/** Stands in front of the practice cluster's API server. It passes watches on only once it is told to. */
async function late(): Promise<{ address: string; answer(): void; stop(): Promise<void> }> {
  const { server: to, ...access } = practiceAccess();
  let answer = (): void => undefined;
  const told = new Promise<void>((resolve) => (answer = resolve));
  const server = createServer((asked, answered) => {
    const passed = async (): Promise<void> => {
      if (/[?&]watch=(true|1)/.test(asked.url!)) await told;
      const { host: _, ...headers } = asked.headers;
      const there = request(to + asked.url!, { ...access, method: asked.method, headers }, (come) => {
        answered.writeHead(come.statusCode!, come.headers);
        answered.flushHeaders();
        come.pipe(answered);
      });
      there.on("error", () => answered.destroy());
      answered.on("close", () => there.destroy());
      asked.pipe(there);
    };
    void passed();
  });
  const address = `http://127.0.0.1:${await listening(server)}`;
  return {
    address,
    answer,
    stop: async () => {
      answer();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test("a watch that isn’t answered is said, and lists come meanwhile", async ({ page, api, namespace }, info) => {
  test.setTimeout(150_000);
  const server = await late();
  const kubeconfig = info.outputPath("kubeconfig");
  writeFileSync(kubeconfig, `{"apiVersion":"v1","kind":"Config","clusters":[{"name":"k","cluster":{"server":"${server.address}"}}],"users":[{"name":"u","user":{}}],"contexts":[{"name":"late","context":{"cluster":"k","user":"u"}}]}`);
  const fieldmark = await own(page, info, kubeconfig, "late");
  try {
    await page.goto(fieldmark.page(`/api/v1/namespaces/${namespace}/configmaps`));
    await ready(page);
    await expect(liveness(page)).toContainText(/the watch hasn’t answered yet; rows as of \d\d:\d\d:\d\d/, { timeout: 30_000 });
    await api.create(`/api/v1/namespaces/${namespace}/configmaps`, { metadata: { name: "meanwhile" } });
    await expect(rows(page).and(page.locator('[data-name="meanwhile"]')), "listed, while the watch isn’t answered").toBeVisible({ timeout: 45_000 });
    await expect(liveness(page)).toContainText("the watch hasn’t answered yet");
    server.answer();
    await live(page);
  } finally {
    await fieldmark.stop();
    await server.stop();
  }
});
