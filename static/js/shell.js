// What the shell around a page does without the program: menus, the list of types, tabs, small windows and colors.

const root = document.documentElement;

// On another page, open menus are closed. A panel is open while the address names it, until a document is loaded; a copy of the
// panel is closed.
export function fold(page) {
  for (const menu of page.querySelectorAll("details.menu[open]")) menu.open = false;
  const panel = page.querySelector("nav:target");
  if (panel) panel.replaceWith(panel.cloneNode(true));
}

// Closed groups of the list of types come as text, which costs the first screen nothing. They are read once that is there.
function readGroups() {
  for (const text of document.querySelectorAll("#types noscript")) text.outerHTML = text.textContent;
}
if (document.readyState === "complete") readGroups();
else addEventListener("load", () => setTimeout(readGroups), { once: true });

// Brings the current type into sight. Only the list of types is scrolled, and only where the type can't be seen.
export function showCurrentType() {
  const list = document.getElementById("types");
  const current = list?.querySelector("[aria-current]");
  const group = current?.closest("details");
  if (group) group.open = true; // a page of the same document may be in a group that the user has never opened
  if (!current?.offsetHeight) return;
  const at = current.getBoundingClientRect();
  const seen = list.getBoundingClientRect();
  if (at.top < seen.top || at.bottom > seen.bottom) list.scrollTop += at.top - seen.top - (seen.height - at.height) / 2;
}
if (document.getElementById("types") || document.readyState !== "loading") showCurrentType();
else addEventListener("DOMContentLoaded", showCurrentType, { once: true }); // the list comes after the first screen

// Brings the current tab into sight, where the tabs don't fit in their row.
export function showCurrentTab() {
  for (const tabs of document.querySelectorAll("main .tabs")) {
    const current = tabs.scrollWidth > tabs.clientWidth && tabs.querySelector("[aria-current]");
    if (!current) continue;
    const at = current.getBoundingClientRect();
    const seen = tabs.getBoundingClientRect();
    if (at.left < seen.left || at.right > seen.right) tabs.scrollLeft += at.left - seen.left - (seen.width - at.width) / 2;
  }
}
showCurrentTab();

// In a small window, the head of a page makes way for a part that is scrolled and could fill the page: it leaves as far as the part
// is scrolled down. Only what the user scrolls counts, and what still rolls after that: pages scroll rows, too.
const small = matchMedia("(width <= 860px), (height <= 560px)");
const places = new WeakMap();
let scrolling = 0;
for (const by of ["wheel", "touchmove", "keydown", "pointerdown"]) addEventListener(by, () => (scrolling = performance.now() + 400), { capture: true, passive: true });
document.addEventListener(
  "scroll",
  ({ target }) => {
    const main = small.matches && target.closest?.("main");
    if (!main || target === main) return;
    const down = target.scrollTop - (places.get(target) ?? 0);
    places.set(target, target.scrollTop);
    const now = performance.now();
    if (now > scrolling || down <= 0 || target.clientHeight < main.clientHeight / 2) return;
    scrolling = Math.max(scrolling, now + 150);
    const away = target.getBoundingClientRect().top - main.getBoundingClientRect().top;
    if (away > 0) main.scrollTop += Math.min(down, away);
  },
  { capture: true, passive: true },
);

// A menu closes when the user clicks or moves the focus elsewhere, or presses Escape.
function closeMenus(but) {
  for (const menu of document.querySelectorAll("details.menu[open]")) if (menu !== but) menu.open = false;
}

for (const elsewhere of ["pointerdown", "focusin"]) {
  addEventListener(elsewhere, ({ target }) => closeMenus(target.closest?.("details.menu")), true);
}
addEventListener(
  "keydown",
  (event) => {
    const menu = event.key === "Escape" && event.target.closest?.("details.menu[open]");
    if (!menu) return;
    event.stopImmediatePropagation();
    menu.open = false;
    menu.querySelector("summary").focus();
  },
  true,
);

// A menu that copies closes when one of its buttons is used. The menu of views stays open, because it shows what was done.
addEventListener("click", ({ target }) => {
  const menu = target.closest?.("details.copying button[data-do]")?.closest("details");
  if (!menu) return;
  menu.open = false;
  menu.querySelector("summary").focus();
});

// Colors change without a new document, which would end streams and recordings, and lose text that is half written. For each choice:
// the next one, and the title of the button that chooses it. Both are the same as in the shell.
const colours = {
  light: ["dark", "Change colors to dark"],
  dark: ["auto", "Change colors to the system’s setting"],
  auto: ["light", "Change colors to light"],
};
addEventListener("submit", async (event) => {
  const form = event.target;
  const button = form.matches("form.theme") && form.elements.namedItem("theme");
  if (!button) return;
  event.preventDefault();
  const body = new URLSearchParams({ back: form.elements.namedItem("back").value, theme: button.value });
  const { type } = await fetch(form.action, { method: "POST", body, redirect: "manual" }).catch(() => ({}));
  if (type !== "opaqueredirect") return form.submit(); // the server's page shows the error
  if (button.value === "auto") delete root.dataset.theme;
  else root.dataset.theme = button.value;
  const [next, title] = colours[button.value];
  button.value = next;
  button.title = button.ariaLabel = title;
});

// Keeps a preference in a cookie for a year. The server reads it with the next page.
export function prefer(cookie, value) {
  document.cookie = `${cookie}=${value}; path=/; samesite=strict; max-age=${value === "" ? 0 : 365 * 24 * 3600}`;
}

// Which groups of the list of types the user opened (+) and closed (-), if they are not as usual. Groups that this cluster doesn't
// have keep their part.
addEventListener("click", ({ target }) => {
  const group = target.closest?.("#types > details > summary")?.parentElement;
  if (!group) return;
  const { fold, usual } = group.dataset;
  const open = !group.open; // after this click
  const name = "fieldmark-folds";
  const was = document.cookie.split("; ").find((cookie) => cookie.startsWith(`${name}=`))?.slice(name.length + 1) ?? "";
  const others = was.split("|").filter((part) => part && part.slice(1) !== fold);
  if (open !== (usual !== undefined)) others.push((open ? "+" : "-") + fold);
  prefer(name, others.slice(-64).join("|"));
});

