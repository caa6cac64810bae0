// A credentials plugin waits for a person. The page says what it prints, and opens the cluster once the plugin has ended.
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { practiceAccess } from "../harness/kubeconfig.ts";
import { expect, test } from "../harness/live.ts";
import { own } from "../harness/own.ts";

test.use({ provoked: /^503 for / });

/** A kubeconfig whose user has a plugin. It prints a line, waits until the file `done` exists, and then gives the certificate of the practice user. */
function waiting(folder: string, done: string): string {
  mkdirSync(folder, { recursive: true });
  const { server, ca, cert, key } = practiceAccess();
  const credential = {
    apiVersion: "client.authentication.k8s.io/v1",
    kind: "ExecCredential",
    status: { clientCertificateData: cert, clientKeyData: key },
  };
  const [answer, script, kubeconfig] = ["credential", "login-helper", "config"].map((name) => join(folder, name)) as [string, string, string];
  writeFileSync(answer, JSON.stringify(credential));
  writeFileSync(script, `#!/bin/sh\necho 'Open https://login.example/<b>device</b> in a browser, password: hunter2' >&2\nwhile [ ! -e ${done} ]; do sleep 0.05; done\ncat ${answer}\n`);
  chmodSync(script, 0o700);
  writeFileSync(
    kubeconfig,
    `apiVersion: v1
kind: Config
clusters: [{name: k, cluster: {server: "${server}", certificate-authority-data: ${Buffer.from(ca).toString("base64")}}}]
users: [{name: u, user: {exec: {apiVersion: client.authentication.k8s.io/v1, command: ${script}, interactiveMode: Never}}}]
contexts: [{name: helped, context: {cluster: k, user: u}}]
`,
  );
  return kubeconfig;
}

test("a page says what a credentials plugin waits for, and opens by itself", async ({ page }, info) => {
  test.setTimeout(120_000);
  const done = info.outputPath("done");
  const fieldmark = await own(page, info, waiting(info.outputPath("plugin"), done), "helped");
  try {
    await page.goto(fieldmark.page("/api/v1/namespaces"));
    const said = page.getByText('The credentials plugin "login-helper" has not responded yet');
    await expect(said).toContainText("Open https://login.example/<b>device</b> in a browser, password: [redacted]");
    expect(await page.content()).not.toContain("hunter2");
    writeFileSync(done, "");
    await expect(page.getByRole("link", { name: "kube-system" }), "without a reload by hand").toBeVisible({ timeout: 60_000 });
  } finally {
    await fieldmark.stop();
  }
});
