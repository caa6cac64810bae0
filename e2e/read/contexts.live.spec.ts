// The home page follows the kubeconfig: contexts come and go without a reload by hand.
import { writeFileSync } from "node:fs";
import { practiceAccess } from "../harness/kubeconfig.ts";
import { expect, test } from "../harness/live.ts";
import { own } from "../harness/own.ts";

/** A kubeconfig with contexts of the practice cluster. */
function kubeconfig(current: string, ...names: string[]): string {
  const { server, ca, cert, key } = practiceAccess();
  const base64 = (text: string): string => Buffer.from(text).toString("base64");
  return `apiVersion: v1
kind: Config
current-context: ${current}
clusters: [{name: k, cluster: {server: "${server}", certificate-authority-data: ${base64(ca)}}}]
users: [{name: u, user: {client-certificate-data: ${base64(cert)}, client-key-data: ${base64(key)}}}]
contexts: [${names.map((name) => `{name: ${name}, context: {cluster: k, user: u}}`).join(", ")}]
`;
}

test("contexts come and go on the home page, and the current one is marked", async ({ page }, info) => {
  test.setTimeout(120_000);
  const file = info.outputPath("contexts");
  writeFileSync(file, kubeconfig("one", "one", "two"));
  const fieldmark = await own(page, info, file, "one");
  try {
    const names = page.locator("[data-cluster] h3 a");
    const current = page.locator("[data-cluster]").filter({ hasText: "current context" }).locator("h3 a");
    const patience = { timeout: 20_000 };
    await page.goto(fieldmark.origin);
    await expect(names).toHaveText(["one", "two"]);
    await expect(current).toHaveText("one");
    writeFileSync(file, kubeconfig("two", "one", "three", "two"));
    await expect(names).toHaveText(["one", "three", "two"], patience);
    await expect(current).toHaveText("two");
    writeFileSync(file, kubeconfig("two", "two"));
    await expect(names).toHaveText(["two"], patience);
  } finally {
    await fieldmark.stop();
  }
});
