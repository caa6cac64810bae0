// A terminal looks like the rest of the page: its font, and its colors in the light and in the dark.

/** The sixteen colors of terminals, by our tokens, all of which can be read on the page’s paper. */
const tokens = {
  black: "soft", red: "bad", green: "ok", yellow: "warn", blue: "busy", magenta: "key", cyan: "string", white: "soft",
  brightBlack: "faint", brightRed: "bad", brightGreen: "ok", brightYellow: "warn", brightBlue: "busy", brightMagenta: "key", brightCyan: "string", brightWhite: "ink",
  foreground: "ink", background: "card", cursor: "accent", cursorAccent: "card", selectionBackground: "accent-bg",
};

/** The colors as they are now in a part of the document. */
export function theme(element) {
  const probe = element.ownerDocument.createElement("span");
  probe.style.setProperty("transition", "none", "important"); // else it has the color before, as the page's colors change gently
  element.append(probe);
  const colours = Object.fromEntries(
    Object.entries(tokens).map(([name, token]) => {
      probe.style.color = `var(--${token})`;
      return [name, getComputedStyle(probe).color];
    }),
  );
  probe.remove();
  return colours;
}

/** Calls f when the colors of the document change. Returns what ends that. */
export function themed(f) {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const chosen = new MutationObserver(f);
  system.addEventListener("change", f);
  chosen.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  return () => {
    system.removeEventListener("change", f);
    chosen.disconnect();
  };
}

/** The font of the element, once it is loaded: a terminal measures its letters only once. */
export async function font(element) {
  const { fontFamily, fontSize } = getComputedStyle(element);
  await document.fonts.load(`${fontSize} ${fontFamily}`).catch(() => {});
  return { fontFamily, fontSize: Number.parseFloat(fontSize) };
}
