// What the fields of an object's kind mean, and how each is merged.
import { type Page } from "@playwright/test";
import { code, notice } from "../harness/look.ts";
import { expect, test } from "../harness/test.ts";

const storefront = "/c/practice/apis/apps/v1/namespaces/shop/deployments/storefront";
const containers = ".spec.template.spec.containers";

const field = (page: Page, path: string) => page.locator(`.field-tree a[data-field="${path}"]`);
const panel = (page: Page) => page.locator(".field-panel");

test("a Deployment's ports, field by field", async ({ page, shot }) => {
  await page.goto(storefront);
  await page.getByRole("navigation", { name: "Views of this object" }).getByRole("link", { name: "Schema" }).click();
  await expect(page).toHaveURL(`${storefront}?tab=schema`);
  await expect(panel(page)).toContainText("Deployment enables declarative updates");
  for (const path of [".spec.template", ".spec.template.spec", containers, `${containers}[*].ports`]) {
    await field(page, path).click();
    await expect(field(page, path)).toHaveAttribute("aria-current", "true");
    await expect(field(page, path)).toBeInViewport();
  }
  await expect(panel(page)).toContainText("The list is merged by containerPort and protocol. Each item, and each field of an item, can have its own owners");
  await expect(panel(page)).toContainText("In this object1 item");
  await field(page, `${containers}[*].ports[*].protocol`).click();
  await expect(panel(page)).toContainText(/DefaultTCP\s*\?\s*One ofSCTP\s*TCP\s*UDP/);
  const heights = await page.evaluate(() => [document.documentElement.scrollHeight, innerHeight]);
  expect(heights[0], "only the tree and the field scroll").toBe(heights[1]);
  await shot("object-schema-field");
  await panel(page).getByRole("link", { name: "ports[*]" }).click();
  await expect(field(page, `${containers}[*].ports`)).toHaveAttribute("aria-current", "true");
  await field(page, `${containers}[*].ports`).click();
  await expect(field(page, `${containers}[*].ports`), "choosing it again folds it away").toHaveAttribute("aria-expanded", "false");
  await expect(field(page, `${containers}[*].ports[*].protocol`)).toHaveCount(0);
});

test("a ConfigMap's data", async ({ page }) => {
  await page.goto("/c/practice/api/v1/namespaces/shop/configmaps/storefront?tab=schema&field=.data");
  await expect(panel(page)).toContainText("map of string to string");
  await expect(panel(page)).toContainText("Each key can have its own owners");
});

test("a path that leads nowhere, and the paths of field managers", async ({ page }) => {
  await page.goto(`${storefront}?tab=schema&field=.spec.nosuch`);
  await expect(page.locator("#lost")).toContainText("has no field .spec.nosuch");
  await page.goto(`${storefront}?tab=schema&field=${encodeURIComponent(`${containers}[name="storefront"].image`)}`);
  await expect(panel(page)).toHaveAttribute("data-field", `${containers}[*].image`);
});

test("a custom resource with a schema", async ({ page, api }, info) => {
  const name = `e2e-schema-${info.project.name}-${info.retry}`;
  const collection = "/apis/practice.fieldmark.dev/v1alpha1/scenarios";
  await api.create(collection, { apiVersion: "practice.fieldmark.dev/v1alpha1", kind: "Scenario", metadata: { name }, spec: {} });
  await page.goto(`/c/practice${collection}/${name}?tab=schema&field=.spec.faults`);
  await expect(panel(page)).toContainText("What is done to the cluster, one after the other, in this order.");
  await expect(panel(page)).toContainText("Ownership of this field");
  await api.delete(`${collection}/${name}`);
});

test("a custom resource without a schema", async ({ page, api }, info) => {
  const group = `${info.project.name.replace(/\W/g, "")}${info.retry}.schemaless.example.com`;
  const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  const openAPIV3Schema = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  await api.create(definitions, {
    metadata: { name: `loosethings.${group}` },
    spec: {
      group, scope: "Cluster", names: { plural: "loosethings", kind: "LooseThing" },
      versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  });
  const collection = `/apis/${group}/v1/loosethings`;
  const thing = { apiVersion: `${group}/v1`, kind: "LooseThing", metadata: { name: "one" }, spec: { any: [1] } };
  const made = () => api.create(collection, thing).then(() => true, () => false);
  await expect.poll(made, "the type is served").toBe(true);
  await expect(async () => {
    await page.goto(`/c/practice${collection}/one?tab=schema`);
    await expect(notice(page)).toContainText("The schema doesn’t describe the fields of LooseThing", { timeout: 500 });
  }).toPass();
  await expect(notice(page)).toContainText("Lists have one owner as a whole");
  await page.goto(`/c/practice${collection}/one`);
  await expect(code(page)).toContainText("any:");
  await api.delete(`${definitions}/loosethings.${group}`);
});
