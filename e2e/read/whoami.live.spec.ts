// Who am I, what may I here, and the cluster as somebody else sees it.
import { expect, openLive, ready, row, test } from "../harness/live.ts";
import { notice, rows } from "../harness/look.ts";

const who = "/c/practice/-/whoami";
const bar = "#viewing";

// The tests send requests that the API server or Fieldmark refuses.
test.use({ provoked: /^403 for / });

test("the page says who you are and what you may do, also by keyboard", async ({ page }) => {
  await page.goto("/c/practice");
  await ready(page);
  await page.getByRole("link", { name: /who you are in this cluster/ }).click();
  await expect(page).toHaveURL(who);
  await ready(page);
  await expect(page.locator(".who-am-i").first()).toContainText("practice-admin");
  await expect(page.locator(".who-am-i").first()).toContainText("a client certificate");
  await expect(page.getByRole("list", { name: "Groups" })).toContainText("system:masters");

  await page.getByRole("combobox", { name: "Namespace" }).selectOption("shop");
  await page.getByRole("textbox", { name: "Filter" }).fill("healthz");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/namespace=shop/);
  await expect(page.locator(".granted tbody tr")).toHaveCount(1);
  await expect(page.locator("#may")).toContainText("1 of ");

  await page.getByRole("link", { name: "API call" }).focus();
  await page.keyboard.press("Enter");
  const panel = page.getByRole("dialog", { name: "API call" });
  await expect(panel).toContainText("POST /apis/authorization.k8s.io/v1/selfsubjectrulesreviews");
  await expect(panel.locator(".api-call-outcome")).toContainText("201");
  await page.keyboard.press("Escape");
  await expect(panel).toHaveCount(0);
  await expect(page, "Escape closed the panel only").toHaveURL(/namespace=shop/);
  await page.keyboard.press("Escape");
  await expect(page, "now it leads up").toHaveURL("/c/practice");
});

test("a view as somebody else is marked, follows changes, writes nothing, and ends", async ({ page, api, namespace }) => {
  const account = `system:serviceaccount:${namespace}:reader`;
  const rbac = `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}`;
  await api.create(`${rbac}/roles`, { metadata: { name: "reader" }, rules: [{ apiGroups: [""], resources: ["configmaps"], verbs: ["get", "list", "watch"] }] });
  await api.create(`${rbac}/rolebindings`, {
    metadata: { name: "reader" },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "reader" },
    subjects: [{ kind: "ServiceAccount", name: "reader", namespace }],
  });
  await page.goto(`${who}?namespace=${namespace}`);
  await ready(page);
  await page.getByRole("textbox", { name: "User" }).fill(account);
  await page.getByRole("button", { name: "View as this user" }).click();
  await expect(page.locator(bar)).toContainText(`You view this cluster as ${account}.`);
  await ready(page);
  await expect(page.locator(".granted")).toContainText("get, list, watch");

  const maps = `/api/v1/namespaces/${namespace}/configmaps`;
  await openLive(page, `/c/practice${maps}`);
  await expect(page.locator(bar)).toContainText("Fieldmark only reads until you stop.");
  await api.create(maps, { metadata: { name: "arrives" } });
  await expect(row(page, "arrives"), "the watch is one of the other user").toHaveCount(1);
  const refused = await page.evaluate(async (path) => {
    const response = await fetch(`/clusters/practice${path}`, { method: "POST", body: "{}", headers: { "Content-Type": "application/json" } });
    return `${response.status} ${await response.text()}`;
  }, maps);
  expect(refused).toContain("403");
  expect(refused).toContain(`You view the cluster practice as ${account}.`);

  await page.goto(`/c/practice/api/v1/namespaces/${namespace}/secrets`);
  await expect(notice(page)).toContainText(`The user ${account} doesn’t have permission`);
  await page.goto("/");
  await expect(page.locator(bar)).toContainText("You view the cluster practice as");
  await page.goto("/c/practice-viewer/-/discovery");
  await expect(page.locator(bar)).toContainText("You see this cluster as yourself.");

  await page.goto(`/c/practice${maps}`);
  await page.locator(bar).getByRole("button", { name: "Stop" }).click();
  await expect(page).toHaveURL(`/c/practice${maps}`);
  await expect(page.locator(bar)).toHaveCount(0);
  await page.goto(`/c/practice/api/v1/namespaces/${namespace}/secrets`);
  await expect(notice(page).or(rows(page)).first()).not.toContainText("permission");
});

test("without the right to impersonate, the page says which rules are missing", async ({ page }) => {
  await page.goto("/c/practice-viewer/-/whoami");
  await ready(page);
  await page.getByRole("textbox", { name: "User" }).fill("ada");
  await page.getByRole("textbox", { name: "Groups" }).fill("dev, ops");
  await page.getByRole("button", { name: "View as this user" }).click();
  await expect(notice(page)).toContainText("The API server doesn’t let you act as this user");
  await expect(page.getByRole("region", { name: "The missing rules" })).toContainText('resourceNames: ["dev","ops"]');
  await expect(page.getByRole("textbox", { name: "User" })).toHaveValue("ada");
  await expect(page.locator(bar)).toHaveCount(0);
});
