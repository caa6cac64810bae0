/** What Chromium is started with, by tests and by measurements, so that it does nothing but what they ask for. */
export const always = [
  "--no-sandbox",
  "--headless",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // Chromium loads two pages of its own for the address bar of each window, which takes nearly a second of a processor. The others are among those that Playwright
  // turns off, and change pages: of two such lists, Chromium takes the last.
  "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup,PaintHolding,HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,ThirdPartyStoragePartitioning,AvoidCorsURLLoaderRestartOnRedirect,AvoidUnnecessaryBeforeUnloadCheckSync,DestroyProfileOnBrowserClose,OptimizationHints,NetworkTimeServiceQuerying,PreconnectToSearch,AimEnabled,MediaRouter,LensOverlay",
];
