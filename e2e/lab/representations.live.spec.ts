// One path of the API in every form that it may be answered in, on the real cluster: what each weighs, what its bytes mean, and what the
// server says to an Accept list.
import { type Locator, type Page } from "@playwright/test";
import { expect, ready, test } from "../harness/live.ts";
import { moreActions } from "../harness/look.ts";

test.use({ provoked: /^(406|400) for |status of (406|400)/ });

const deployment = "/apis/apps/v1/namespaces/shop/deployments/storefront";
const promotions = "/apis/shop.example.com/v1/namespaces/shop/promotions";
const all = ["json", "yaml", "table", "metadata", "protobuf", "cbor"];

async function compare(page: Page, path: string, query: Record<string, string> = {}): Promise<void> {
  await page.goto(`/c/practice/-/representations?${new URLSearchParams({ path, ...query })}`);
  await ready(page);
  for (const form of all) await expect(row(page, form)).toHaveAttribute("data-gzip", "whole", { timeout: 45_000 });
}

const row = (page: Page, form: string): Locator => page.locator(`tr[data-form="${form}"]`);

const weight = async (page: Page, form: string, how: "plain" | "gzip"): Promise<number> =>
  Number(await row(page, form).locator(`[data-measure="${how}"] [data-bytes]`).getAttribute("data-bytes"));

const attempt = (page: Page): Locator => page.locator(".attempts > li").first();

test("all six forms of the pods of a namespace, and of one Deployment", async ({ page }) => {
  test.slow();
  for (const [path, kind, metadata] of [
    ["/api/v1/namespaces/shop/pods", "PodList", "PartialObjectMetadataList"],
    [deployment, "Deployment", "PartialObjectMetadata"],
  ] as const) {
    await compare(page, path);
    for (const [form, type, of] of [
      ["json", "application/json", kind],
      ["yaml", "application/yaml", kind],
      ["table", "application/json", "Table"],
      ["metadata", "application/json", metadata],
      ["protobuf", "application/vnd.kubernetes.protobuf", kind],
      ["cbor", "application/cbor", kind],
    ] as const) {
      await expect(row(page, form).locator(".answer")).toContainText(`200 ${type} ${of}`);
    }
    const json = await weight(page, "json", "plain");
    expect(await weight(page, "protobuf", "plain")).toBeLessThan(json);
    expect(await weight(page, "cbor", "plain")).toBeLessThan(json);
    expect(await weight(page, "metadata", "plain")).toBeLessThan(json);
  }
});

test("gzip is used from 128 KiB on, and the bytes on the wire show it", async ({ page, fieldmark, api, namespace }) => {
  test.slow();
  for (const name of ["one", "two"]) {
    const lines = Array.from({ length: 3000 }, (_, i) => `line ${i} of ${name}: ${Math.sin(i)}`);
    await api.create(`/api/v1/namespaces/${namespace}/configmaps`, { metadata: { name }, data: { lines: lines.join("\n") } });
  }
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  await compare(page, path);
  const plain = await weight(page, "json", "plain");
  expect(plain).toBeGreaterThan(128 << 10);
  const packed = await weight(page, "json", "gzip");
  expect(packed).toBeGreaterThan(1000);
  expect(packed).toBeLessThan(plain / 1.5);
  for (const form of ["json", "yaml", "protobuf", "cbor"]) await expect(row(page, form)).toContainText("% of plain");
  await expect(row(page, "table")).toContainText("not compressed");
  // The API server's own word: the same request, read as it comes.
  const answer = await fetch(`${fieldmark.origin}/clusters/practice${path}?pretty=false`, {
    headers: { Authorization: `Bearer ${fieldmark.token}`, "Fieldmark-Accept-Encoding": "identity", "Accept-Encoding": "identity" },
  });
  const bytes = (await answer.arrayBuffer()).byteLength;
  expect(Math.abs(bytes - plain)).toBeLessThan(2000); // its resource version may have more digits, and another ConfigMap may come
  await compare(page, deployment);
  await expect(row(page, "json")).toContainText("not compressed");
});

test("the envelope is gone through by keys, range by range, and by the pointer", async ({ page }) => {
  await compare(page, deployment);
  const selected = page.locator("#selected");
  await page.locator("#lines").focus();
  await page.keyboard.press("ArrowDown");
  await expect(selected.locator("h3")).toContainText("Magic bytes 0 to 3 (4)");
  await expect(page.locator("#lines .digits .marked")).toHaveText("6b 38 73 00");
  for (let i = 0; i < 5; i++) await page.keyboard.press("ArrowDown");
  await expect(selected).toContainText("typeMeta.apiVersion");
  await expect(selected).toContainText("value apps/v1");
  await page.keyboard.press("ArrowUp");
  await expect(selected).toContainText("Length of typeMeta.apiVersion");
  const kind = page.locator(".stops button", { hasText: "typeMeta.kind Deployment" });
  await kind.focus();
  await page.keyboard.press("Enter");
  await expect(selected).toContainText("value Deployment");
  await page.locator('#lines button[data-from="0"]').click();
  await expect(selected).toContainText("Magic");
  await page.keyboard.press("G");
  await expect(selected).toContainText("contentType");
  await expect(page.locator("#lines tr").first().locator("th")).not.toHaveText("00000");
});

test("bytes with a wrong magic are rejected, here and by the API server", async ({ page }) => {
  await compare(page, deployment);
  await page.getByRole("button", { name: "Drop the first byte" }).click();
  await expect(page.locator(".rejected")).toContainText("must begin with 6b 38 73 00");
  await expect(page.locator(".rejected")).toContainText("The first byte of k8s\\0 is missing");
  await page.getByRole("button", { name: "Send the bytes to the API server" }).click();
  await expect(page.locator(".sent")).toHaveAttribute("data-status", "400");
  await expect(page.locator(".sent blockquote")).toContainText("does not appear to be a protobuf message, expected prefix");
  await page.getByRole("button", { name: "Back to the response" }).click();
  await page.getByRole("button", { name: "Change the magic" }).click();
  await expect(page.locator(".rejected")).toHaveAttribute("data-at", "3");
  await page.getByLabel("Bytes", { exact: true }).fill("7b 22 6b 69");
  await expect(page.locator(".rejected")).toContainText("look like JSON");
});

test("CBOR describes itself, and writes text as byte strings", async ({ page, api, namespace }) => {
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  await api.create(path, { metadata: { name: "small" } }); // a map's fields come in any order: in a large object, past the lines that are shown
  await compare(page, `${path}/small`, { as: "cbor" });
  await expect(page.locator('[data-tag="55799"]')).toContainText("d9 d9 f7");
  const notation = page.getByLabel("CBOR in diagnostic notation");
  await expect(notation.locator("mark")).toHaveText("55799");
  await expect(notation).toContainText("'kind': 'ConfigMap'");
  await expect(notation).toContainText("'name': 'small'");
});

test("a custom resource has no Protobuf: 406, and JSON if that is named behind it", async ({ page }) => {
  await compare(page, promotions);
  await expect(row(page, "protobuf").locator(".answer")).toContainText("406 application/vnd.kubernetes.protobuf Status");
  await expect(row(page, "protobuf")).toContainText("no Protobuf for this type");
  await expect(row(page, "cbor").locator(".answer")).toContainText("200 application/cbor PromotionList");
  await page.getByRole("link", { name: "Only Protobuf" }).click();
  await expect(attempt(page)).toHaveAttribute("data-status", "406");
  await expect(attempt(page)).toContainText("only the following media types are accepted".slice(5));
  const list = page.locator('input[name="accept"]').last();
  await list.fill("application/vnd.kubernetes.protobuf,application/json");
  await list.press("Enter");
  await expect(attempt(page)).toHaveAttribute("data-status", "200");
  await expect(attempt(page)).toHaveAttribute("data-type", "application/json");
  await expect(attempt(page).locator(".clauses li").first()).toContainText("so the server tried the next entry");
  await expect(attempt(page).locator(".clauses .taken")).toContainText("application/json");
  await page.getByRole("link", { name: "Metadata as Protobuf" }).click();
  await expect(attempt(page)).toHaveAttribute("data-type", "application/vnd.kubernetes.protobuf");
});

test("nothing of a Secret is to be read in any form", async ({ page, api, namespace }) => {
  test.slow();
  const canary = "canary-7f3a91c5";
  const coded = Buffer.from(canary).toString("base64");
  const lastApplied = JSON.stringify({ data: { password: coded }, stringData: { other: canary } });
  await api.create(`/api/v1/namespaces/${namespace}/secrets`, {
    metadata: { name: "canary", annotations: { "kubectl.kubernetes.io/last-applied-configuration": lastApplied } },
    data: { password: coded },
  });
  const digits = [...Buffer.from(canary)].map((byte) => byte.toString(16).padStart(2, "0")).join(" ");
  for (const path of [`/api/v1/namespaces/${namespace}/secrets/canary`, `/api/v1/namespaces/${namespace}/secrets`]) {
    await compare(page, path);
    for (const form of all) {
      await row(page, form).getByRole("link").click();
      await expect(row(page, form)).toHaveClass("current");
      const shown = await page.locator("main").innerHTML();
      for (const secret of [canary, coded, coded.slice(0, 10), digits.slice(0, 20)]) expect(shown).not.toContain(secret);
    }
    await row(page, "json").getByRole("link").click();
    await expect(page.locator(".code.laid")).toContainText("hidden");
    await row(page, "protobuf").getByRole("link").click();
    await expect(page.locator(".notice")).toContainText("Values are withheld");
    await expect(page.locator(".stops")).toContainText(path.endsWith("canary") ? "Secret" : "SecretList");
  }
});

test("objects and collections lead here", async ({ page }) => {
  for (const path of [deployment, "/api/v1/namespaces/shop/pods"]) {
    await page.goto(`/c/practice${path}`);
    await (await moreActions(page)).getByRole("link", { name: "Representations" }).click();
    await ready(page);
    await expect(page.locator('input[name="path"]').first()).toHaveValue(path);
  }
});
