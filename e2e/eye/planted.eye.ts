// Does the detector see? Twenty-three planted defects, each beside markup that is right, and it finds these and nothing else.
import { test, expect } from "@playwright/test";
import { kinds, look, type Kind } from "./look.ts";

test.use({ viewport: { width: 1400, height: 900 }, colorScheme: "light" });

test("the detector finds each planted defect, and nothing beside", async ({ page }) => {
  await page.goto(new URL("planted.html", import.meta.url).href);
  const planted = await page.locator("[data-defect]").evaluateAll((all) => all.map((one) => `${one.id} ${one.getAttribute("data-defect")}`));
  expect(planted).toHaveLength(24);
  const found = await page.evaluate(look, { kinds });
  const seen = found.map(({ kind, where }) => `${/#([\w-]+)/.exec(where)?.[1] ?? where} ${kind}`);
  expect([...new Set(seen)].sort()).toEqual([...planted].sort());
  const without = kinds.filter((kind: Kind) => !planted.some((one) => one.endsWith(kind)));
  expect(without, "kinds that no defect tests").toEqual([]);
});

test("a state that is forced by the protocol is looked at, too", async ({ page, context }) => {
  await page.goto(new URL("planted.html", import.meta.url).href);
  const cdp = await context.newCDPSession(page);
  await cdp.send("DOM.enable");
  await cdp.send("CSS.enable");
  const { root } = await cdp.send("DOM.getDocument", { depth: 0 });
  const { nodeId } = await cdp.send("DOM.querySelector", { nodeId: root.nodeId, selector: "#hovered" });
  const pale = async (): Promise<string[]> => (await page.evaluate(look, { kinds: ["contrast"] as const, within: "#hovered" })).map(({ kind }) => kind);
  expect(await pale()).toEqual([]);
  await cdp.send("CSS.forcePseudoState", { nodeId, forcedPseudoClasses: ["hover"] });
  expect(await pale()).toEqual(["contrast"]);
});
