import { type Page } from "@playwright/test";

/** A slow network: the delay of each response in ms, and how many bytes arrive in a second. */
export interface Slow {
  latency: number;
  throughput: number;
}

/** Does something while the network of a page is slow. It is fast again afterwards, also if that fails: Chromium may keep the limits for pages that come after it. */
export async function slowly(page: Page, { latency, throughput }: Slow, during: () => Promise<void>): Promise<void> {
  const network = await page.context().newCDPSession(page);
  const limit = (delay: number, bytes: number) =>
    network.send("Network.emulateNetworkConditions", { offline: false, latency: delay, downloadThroughput: bytes, uploadThroughput: bytes });
  await limit(latency, throughput);
  try {
    await during();
  } finally {
    await limit(0, -1);
    await network.detach();
  }
}
