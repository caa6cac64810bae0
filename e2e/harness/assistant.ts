// An assistant that uses a token for programs: raw JSON-RPC, without the cookies of a browser.
import { type APIRequest, type Page, expect } from "@playwright/test";

/** The page of tokens for programs: the token that was made, its row in the list, and the whole list. */
export const made = (page: Page) => page.locator("code.one-visit");
export const tokens = (page: Page) => page.locator(".program-tokens li");
export const row = (page: Page, token: string) => tokens(page).filter({ hasText: `…${token.slice(-4)}` });

/** Makes a token on the page, and returns it. */
export async function makeToken(page: Page): Promise<string> {
  await page.getByRole("button", { name: /^Make (a|another) token$/ }).click();
  const token = (await made(page).textContent()) ?? "";
  expect(token).toMatch(/^fieldmark-program-[\w-]{32}$/);
  return token;
}

/** Calls a tool, and returns the status code and the body. */
export async function callTool(request: APIRequest, origin: string, token: string, name: string, given: object = {}): Promise<{ code: number; text: string }> {
  const client = await request.newContext({ ignoreHTTPSErrors: true });
  try {
    const response = await client.post(`${origin}/mcp`, {
      headers: { Authorization: `Bearer ${token}`, Accept: "application/json, text/event-stream" },
      data: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: given } },
    });
    return { code: response.status(), text: await response.text() };
  } finally {
    await client.dispose();
  }
}
