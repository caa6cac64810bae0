// What is wrong to see in a page: text that is cut or covered, boxes that stick out, pale colours, targets that are too small. `look` runs in the page, so
// everything that it uses is in it.

export const kinds = ["cut", "covered", "outside", "sideways", "nested", "contrast", "target", "numbers"] as const;
export type Kind = (typeof kinds)[number];

export type Theme = "light" | "dark";

export interface Finding {
  readonly kind: Kind;
  /** The element, as a path of tags and classes from the nearest id. */
  readonly where: string;
  readonly what: string;
  readonly theme?: Theme;
}

export interface Options {
  /** What to look for. */
  readonly kinds: readonly Kind[];
  /** Only what is in such elements; all of the page if not given. */
  readonly within?: string;
  /** The themes in which colors are looked at; the page's own if not given. */
  readonly themes?: readonly Theme[];
}

export function look({ kinds, within, themes }: Options): Finding[] {
  const found: Finding[] = [];
  const wanted = new Set<string>(kinds);
  const styles = new Map<Element, CSSStyleDeclaration>();
  const style = (one: Element): CSSStyleDeclaration => {
    let known = styles.get(one);
    if (!known) styles.set(one, (known = getComputedStyle(one)));
    return known;
  };
  const boxes = new Map<Element, DOMRect>();
  const box = (one: Element): DOMRect => {
    let known = boxes.get(one);
    if (!known) boxes.set(one, (known = one.getBoundingClientRect()));
    return known;
  };
  const path = (one: Element): string => {
    const steps: string[] = [];
    for (let at: Element | null = one; at && at !== document.body && steps.length < 6; at = at.parentElement) {
      const classes = (at.getAttribute("class") ?? "").split(/\s+/).filter(Boolean).slice(0, 2);
      steps.unshift(at.localName + (at.id ? `#${at.id}` : "") + classes.map((name) => `.${name}`).join(""));
      if (at.id) break;
    }
    return steps.join(" > ");
  };
  const say = (kind: Kind, one: Element, what: string, theme?: Theme): void => {
    if (!within || one.closest(within)) found.push({ kind, where: path(one), what, ...(theme ? { theme } : {}) });
  };

  // ---- what is seen

  const hidden = new Map<Element, boolean>();
  const unseen = (one: Element): boolean => {
    let known = hidden.get(one);
    if (known === undefined) {
      const parent = one.parentElement;
      known = (parent ? unseen(parent) : false) || style(one).clipPath === "inset(50%)" || style(one).opacity === "0";
      hidden.set(one, known);
    }
    return known;
  };
  const visible = new Map<Element, boolean>();
  const seen = (one: Element): boolean => {
    let known = visible.get(one);
    if (known === undefined) visible.set(one, (known = one.checkVisibility({ visibilityProperty: true }) && !unseen(one)));
    return known;
  };

  /** The boxes that an element is in, and that can clip it; the innermost comes first. */
  const arounds = new Map<Element, Element[]>();
  const around = (one: Element): Element[] => {
    const known = arounds.get(one);
    if (known) return known;
    const all: Element[] = [];
    arounds.set(one, all);
    let position = style(one).position;
    for (let at = one.parentElement; at; at = at.parentElement) {
      if (position === "fixed") break;
      if (position === "absolute" && style(at).position === "static" && style(at).transform === "none" && style(at).containerType === "normal") continue;
      all.push(at);
      position = style(at).position;
    }
    return all;
  };
  const scrolls = (value: string): boolean => value === "auto" || value === "scroll";
  const inner = (one: Element): { left: number; right: number; top: number; bottom: number } => {
    const { left, right, top, bottom } = box(one);
    const own = style(one);
    return {
      left: left + parseFloat(own.borderLeftWidth),
      right: right - parseFloat(own.borderRightWidth),
      top: top + parseFloat(own.borderTopWidth),
      bottom: bottom - parseFloat(own.borderBottomWidth),
    };
  };
  const clipping = (one: Element): boolean => style(one).display !== "inline" && style(one).display !== "contents" && (style(one).overflowX !== "visible" || style(one).overflowY !== "visible");

  interface Piece {
    readonly of: Element;
    readonly node: Text;
    readonly text: string;
    readonly rect: DOMRect;
    /** What is seen of it. */
    readonly left: number;
    readonly right: number;
    readonly top: number;
    readonly bottom: number;
  }
  const pieces: Piece[] = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  while (walker.nextNode()) {
    const node = walker.currentNode as Text;
    const of = node.parentElement!;
    if (!node.data.trim() || /^(script|style|option|title|textarea|noscript|template|desc)$/.test(of.localName) || !seen(of)) continue;
    range.selectNodeContents(node);
    const clips = [of, ...around(of)].filter(clipping);
    for (const rect of range.getClientRects()) {
      if (rect.width < 1 || rect.height < 1) continue;
      let { left, right, top, bottom } = rect;
      for (const clip of clips) {
        const edge = inner(clip);
        [left, right, top, bottom] = [Math.max(left, edge.left), Math.min(right, edge.right), Math.max(top, edge.top), Math.min(bottom, edge.bottom)];
      }
      pieces.push({ of, node, text: node.data.trim().replace(/\s+/g, " "), rect, left, right, top, bottom });
      // What is hidden from screen readers only repeats or adorns.
      if (wanted.has("cut") && of.closest("[aria-hidden=true]") === null) cut(of, clips, node.data.trim().replace(/\s+/g, " "), rect);
    }
  }

  // ---- text that is cut: whoever can't scroll to it must find all of it in a title

  const arrow = 16; // of a menu, as wide as Chromium draws it
  function cut(of: Element, clips: Element[], text: string, rect: DOMRect): void {
    let [freeX, freeY] = [false, false];
    for (const clip of clips) {
      const [own, edge] = [style(clip), inner(clip)];
      const [outX, outY] = [Math.max(edge.left - rect.left, rect.right - edge.right), Math.max(edge.top - rect.top, rect.bottom - edge.bottom)];
      if (!freeX && !scrolls(own.overflowX) && own.overflowX !== "visible" && outX > 1.5) {
        if (own.textOverflow !== "ellipsis") say("cut", of, `“${text.slice(0, 60)}” is cut by ${Math.round(outX)} px, without an ellipsis, by ${path(clip)}`);
        else if (!told(of, clip, text)) say("cut", of, `“${text.slice(0, 60)}” ends in an ellipsis, and no title has all of it`);
        return;
      }
      if (!freeY && !scrolls(own.overflowY) && own.overflowY !== "visible" && outY > rect.height / 4) {
        if (own.getPropertyValue("-webkit-line-clamp") === "none" || !told(of, clip, text)) say("cut", of, `“${text.slice(0, 60)}” is cut by ${Math.round(outY)} px of its height by ${path(clip)}`);
        return;
      }
      freeX ||= scrolls(own.overflowX);
      freeY ||= scrolls(own.overflowY);
    }
  }
  // A menu shows what is chosen in one line, beside its arrow. A name is in its list, too, but several words must be read before it is opened.
  if (wanted.has("cut")) {
    const pen = document.createElement("canvas").getContext("2d")!;
    for (const menu of document.body.querySelectorAll("select")) {
      const words = (menu.selectedOptions[0]?.text ?? "").split(" ");
      if (!seen(menu) || menu.size > 1 || menu.multiple || words.length < 4 || words.some((word) => word.length > 24)) continue;
      const own = style(menu);
      pen.font = own.font;
      const out = pen.measureText(menu.selectedOptions[0]?.text ?? "").width + parseFloat(own.paddingLeft) + parseFloat(own.paddingRight) + arrow - menu.clientWidth;
      if (out > 1.5) say("cut", menu, `“${menu.selectedOptions[0]!.text.slice(0, 60)}” is cut by ${Math.round(out)} px by the menu’s edge`);
    }
  }

  function told(of: Element, clip: Element, text: string): boolean {
    const words = text.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
    const within = (all: string | null | undefined): boolean => all != null && words.every((word) => all.includes(word));
    const has = (one: Element): boolean => within(one.getAttribute("title")) || within(one.getAttribute("aria-label"));
    for (let at: Element | null = of; at && at !== document.body; at = at.parentElement) if (has(at)) return true;
    // What a menu has chosen is in its list.
    if (within(of.closest("summary")?.nextElementSibling?.textContent)) return true;
    // A link to what it names leads to a page that says the name.
    if (within(decodeURIComponent(of.closest("a[href]")?.getAttribute("href") ?? ""))) return true;
    return [...clip.querySelectorAll("[title], [aria-label]")].some(has);
  }

  // ---- text on text

  const painting = new Map<Element, boolean>();
  const paints = (one: Element): boolean => {
    let known = painting.get(one);
    if (known === undefined) painting.set(one, (known = paintsItself(one)));
    return known;
  };
  const paintsItself = (one: Element): boolean => {
    const own = style(one);
    const edges = [
      [own.borderTopWidth, own.borderTopColor],
      [own.borderRightWidth, own.borderRightColor],
      [own.borderBottomWidth, own.borderBottomColor],
      [own.borderLeftWidth, own.borderLeftColor],
    ] as const;
    return shade(own.backgroundColor)[3] > 0.05 || edges.some(([width, colour]) => parseFloat(width) > 0 && shade(colour)[3] > 0.05);
  };
  /** Whether a box has its place in another one for good, such as a button in the corner of a text. A menu lies over what it isn't in. */
  const placed = (at: Element, other: Element): boolean => {
    const within = at instanceof HTMLElement && style(at).position === "absolute" ? at.offsetParent : null;
    return within !== null && within !== document.body && within.contains(other);
  };
  /** Whether something that doesn't let through lies under the text, and over what the other text is in. */
  const covers = (one: Element, other: Element, x: number, y: number): boolean => {
    for (let at: Element | null = one; at && !at.contains(other); at = at.parentElement) {
      const { left, right, top, bottom } = box(at);
      if (style(at).position !== "static" && !placed(at, other) && shade(style(at).backgroundColor)[3] > 0.95 && left <= x && right >= x && top <= y && bottom >= y) return true;
    }
    return false;
  };
  /** Whether texts that are turned alike are beside each other. The boxes around them are larger than they are, so they are measured along their lines. */
  const apart = (one: Element, other: Element): boolean => {
    if (!(one instanceof SVGGraphicsElement) || !(other instanceof SVGGraphicsElement)) return false;
    const [at, by] = [one.getScreenCTM(), other.getScreenCTM()];
    if (!at || !by || Math.abs(at.b) < 0.01 || Math.abs(at.a - by.a) + Math.abs(at.b - by.b) > 0.01) return false;
    const [a, b, way] = [one.getBBox(), other.getBBox(), at.inverse().multiply(by)];
    const [x, y] = [b.x + way.e, b.y + way.f];
    const [across, along] = [Math.min(a.x + a.width, x + b.width) - Math.max(a.x, x), Math.min(a.y + a.height, y + b.height) - Math.max(a.y, y)];
    return across <= 2 || along <= 0.4 * Math.min(a.height, b.height);
  };
  if (wanted.has("covered")) {
    const all = pieces.filter((one) => one.right - one.left > 2 && one.bottom - one.top > 4).sort((a, b) => a.top - b.top);
    for (const [i, a] of all.entries())
      for (let j = i + 1; j < all.length && all[j]!.top < a.bottom; j++) {
        const b = all[j]!;
        if (a.node === b.node) continue;
        const [left, right, top, bottom] = [Math.max(a.left, b.left), Math.min(a.right, b.right), Math.max(a.top, b.top), Math.min(a.bottom, b.bottom)];
        if (right - left <= 2 || bottom - top <= 0.4 * Math.min(a.rect.height, b.rect.height) || apart(a.of, b.of)) continue;
        const [x, y] = [(left + right) / 2, (top + bottom) / 2];
        if (!covers(a.of, b.of, x, y) && !covers(b.of, a.of, x, y)) say("covered", b.of, `“${a.text.slice(0, 40)}” and “${b.text.slice(0, 40)}” lie on each other`);
      }
  }

  // ---- boxes outside of what they are in, and of the window

  const control = "a[href], button, summary, input:not([type=hidden]), select, textarea, [role=button], [role=tab], [role=treeitem]";
  if (wanted.has("outside"))
    for (const one of document.body.querySelectorAll("*")) {
      if (one.closest("svg") !== null && one.localName !== "svg") continue;
      const { left, right, top, bottom, width, height } = box(one);
      if (width < 2 || height < 2 || !(one.matches("img, svg, button, input, select, textarea, table") || paints(one)) || !seen(one)) continue;
      const clips = around(one);
      if (!clips.some((clip) => clipping(clip) && style(clip).overflowX !== "visible" && clip !== document.body && box(clip).right <= innerWidth + 1) && (right > innerWidth + 1 || left < -1)) {
        say("outside", one, `it reaches from ${Math.round(left)} to ${Math.round(right)} of a window of ${innerWidth} px`);
        continue;
      }
      if (/absolute|fixed|sticky/.test(style(one).position)) continue;
      const slack = style(one).display.startsWith("inline") ? 4 : 1.5;
      for (const clip of clips) {
        // What scrolls is reached, and where an ellipsis ends a line, the rules about cut text hold.
        if (clipping(clip) && (scrolls(style(clip).overflowX) || scrolls(style(clip).overflowY) || style(clip).textOverflow === "ellipsis")) break;
        if (!paints(clip) || style(clip).display === "inline" || clip === document.body || clip.localName === "tr" || clip.localName === "tbody") continue;
        const by = box(clip);
        const out = Math.round(Math.max(by.left - left, right - by.right, by.top - top, bottom - by.bottom));
        if (by.left - left > slack || right - by.right > slack || by.top - top > slack || bottom - by.bottom > slack) say("outside", one, `it is ${out} px outside of ${path(clip)}`);
        break;
      }
    }

  // Sections below each other begin at the same place. A box begins there or fills the whole width, and doesn't stick out on one side.
  if (wanted.has("outside")) {
    const begins = (one: Element): number => Math.min(...pieces.filter(({ of }) => one.contains(of)).map(({ rect }) => rect.left), ...(paints(one) ? [box(one).left] : []));
    for (const one of document.body.querySelectorAll("section, article, p, ul, ol, dl, form, details, figure, div")) {
      const parent = one.parentElement!;
      if (!paints(one) || !seen(one) || !/^(block|flex|grid|flow-root)/.test(style(parent).display) || /absolute|fixed|sticky/.test(style(one).position) || one.closest("svg")) continue;
      const { left, right, top, bottom } = box(one);
      const others = [...parent.children].filter((other) => other !== one && seen(other) && (box(other).bottom <= top + 1 || box(other).top >= bottom - 1));
      if (others.length < 3 || right - left < 2 || right >= inner(parent).right - 1) continue;
      const column = Math.min(...others.map(begins));
      if (Number.isFinite(column) && left < column - 8) say("outside", one, `it begins ${Math.round(column - left)} px before all that is above and below it`);
    }
  }

  // ---- scrolling

  const scrollsX = (one: Element): boolean => one.scrollWidth > one.clientWidth + 1;
  const scrollsY = (one: Element): boolean => one.scrollHeight > one.clientHeight + 1;
  if (wanted.has("sideways"))
    for (const one of document.querySelectorAll("html, body, #app, main")) {
      if (!scrollsX(one) || (style(one).overflowX === "hidden" && one !== document.documentElement)) continue;
      const wide = [...one.querySelectorAll("*")].find((inner) => box(inner).right > box(one).right + 1 && seen(inner) && !around(inner).some((clip) => clip !== one && one.contains(clip) && clipping(clip)));
      say("sideways", wide ?? one, `the page scrolls sideways: ${one.localName} has ${one.scrollWidth} px on ${one.clientWidth}`);
    }
  // The page itself scrolls. A box in it may scroll if a window shows all of the box, so that the reader can leave it on a side.
  if (wanted.has("nested"))
    for (const one of document.body.querySelectorAll("*")) {
      if (one.localName === "main" || one.localName === "textarea" || !scrolls(style(one).overflowY) || !scrollsY(one) || !seen(one)) continue;
      const outer = around(one).find((clip) => clip !== document.body && scrolls(style(clip).overflowY) && scrollsY(clip));
      if (outer && outer.localName !== "main" && outer.localName !== "body") say("nested", one, `it scrolls in ${path(outer)}, which scrolls, too`);
      else if (outer && one.clientHeight > outer.clientHeight) say("nested", one, `it scrolls, and is higher than the room of ${outer.clientHeight} px in which the page scrolls`);
    }

  // ---- colours: what is painted below the text, layer by layer

  function shade(colour: string): [number, number, number, number] {
    const store = ((globalThis as unknown as { shades?: Map<string, [number, number, number, number]> }).shades ??= new Map());
    let known = store.get(colour);
    if (!known) {
      const numbers = /^rgba?\(([\d.]+), ([\d.]+), ([\d.]+)(?:, ([\d.]+))?\)$/.exec(colour);
      if (numbers) known = [Number(numbers[1]), Number(numbers[2]), Number(numbers[3]), numbers[4] === undefined ? 1 : Number(numbers[4])];
      else if (colour === "none" || colour === "") known = [0, 0, 0, 0];
      else {
        const context = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true })!;
        context.fillStyle = colour;
        context.fillRect(0, 0, 1, 1);
        const [r, g, b, a] = context.getImageData(0, 0, 1, 1).data;
        known = [r!, g!, b!, a! / 255];
      }
      store.set(colour, known);
    }
    return known;
  }
  type Shade = [number, number, number];
  const mix = (over: readonly number[], under: Shade, alpha: number): Shade => [0, 1, 2].map((i) => over[i]! * alpha + under[i]! * (1 - alpha)) as Shade;
  const light = (colour: Shade): number => {
    const [r, g, b] = colour.map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
  };
  const ratio = (a: Shade, b: Shade): number => {
    const [x, y] = [light(a), light(b)].sort((one, other) => other - one);
    return (x! + 0.05) / (y! + 0.05);
  };
  /** The elements below a point of an element, itself included; outside the window its ancestors have to do. */
  const below = (one: Element, x: number, y: number): Element[] => {
    const stack = x >= 0 && y >= 0 && x < innerWidth && y < innerHeight ? document.elementsFromPoint(x, y) : [];
    const at = stack.indexOf(one);
    if (at >= 0) return stack.slice(at);
    const all: Element[] = [];
    for (let up: Element | null = one; up; up = up.parentElement) {
      if (up.namespaceURI?.endsWith("svg"))
        for (let before = up.previousElementSibling; before; before = before.previousElementSibling) {
          const area = box(before);
          if (area.left <= x && area.right >= x && area.top <= y && area.bottom >= y) all.push(before);
        }
      all.push(up);
    }
    return all;
  };
  const opacities = new Map<Element, number>();
  const opacity = (one: Element): number => {
    let known = opacities.get(one);
    if (known === undefined) opacities.set(one, (known = Number(style(one).opacity) * (one.parentElement ? opacity(one.parentElement) : 1)));
    return known;
  };
  const ground = (layers: readonly Element[]): Shade => {
    let under: Shade = matchMedia("(prefers-color-scheme: dark)").matches ? [18, 18, 18] : [255, 255, 255];
    for (const layer of layers) {
      const own = style(layer);
      const shape = layer.namespaceURI?.endsWith("svg") && /^(rect|circle|path|ellipse|polygon)$/.test(layer.localName);
      const paint = shade(shape ? own.fill : own.backgroundColor);
      under = mix(paint, under, paint[3] * (shape ? Number(own.fillOpacity) : 1) * opacity(layer));
    }
    return under;
  };
  if (wanted.has("contrast")) {
    const painted = pieces
      .filter((one) => !one.of.closest(":disabled, [aria-disabled=true]") && one.right - one.left >= 2 && one.bottom - one.top >= 4 && /[\p{L}\p{N}]/u.test(one.text) && (!within || one.of.closest(within)))
      .map((one) => ({ one, layers: below(one.of, (one.left + one.right) / 2, (one.top + one.bottom) / 2).reverse() }));
    // Where something lies doesn't depend on the theme, so the layers are the same in both.
    const root = document.documentElement;
    const own = root.getAttribute("data-theme");
    for (const theme of themes ?? [undefined]) {
      if (theme) root.setAttribute("data-theme", theme);
      for (const { one, layers } of painted) pale(one, ground(layers), theme);
    }
    if (own === null) root.removeAttribute("data-theme");
    else root.setAttribute("data-theme", own);
  }
  function pale(one: Piece, under: Shade, theme?: Theme): void {
    const own = style(one.of);
    const ink = shade(one.of.namespaceURI?.endsWith("svg") ? own.fill : own.color);
    const got = ratio(mix(ink, under, ink[3] * opacity(one.of)), under);
    const size = parseFloat(own.fontSize);
    const least = size >= 24 || (size >= 18.66 && Number(own.fontWeight) >= 700) ? 3 : 4.5;
    if (got < least - 0.05) say("contrast", one.of, `“${one.text.slice(0, 40)}” has a contrast of ${got.toFixed(2)}, below ${least}`, theme);
  }

  // ---- targets: 24 px, or as much room around the middle (WCAG 2.5.8); links in a sentence are as high as its lines

  if (wanted.has("target")) {
    const targets = [...document.body.querySelectorAll(control)].filter((one) => box(one).width > 0 && box(one).height > 0 && seen(one) && style(one).pointerEvents !== "none" && one.closest("[inert]") === null);
    // What is scrolled away, or only half in sight, has its room elsewhere.
    const whole = (one: Element): boolean =>
      around(one).filter(clipping).every((clip) => {
        const [edge, own] = [inner(clip), box(one)];
        return own.left >= edge.left - 1 && own.right <= edge.right + 1 && own.top >= edge.top - 1 && own.bottom <= edge.bottom + 1;
      });
    const places = targets.filter(whole).map((one) => ({ one, ...box(one).toJSON() as { left: number; right: number; top: number; bottom: number; width: number; height: number } }));
    const sentence = (one: Element): boolean => {
      if (!style(one).display.startsWith("inline") || one.matches("input, select")) return false;
      for (let at = one.parentElement, up = 0; at && up < 2; at = at.parentElement, up++) {
        if ([...at.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent!.trim().length > 1)) return true;
        if (!style(at).display.startsWith("inline")) break;
      }
      return false;
    };
    // A box that sticks is a room of its own: the page scrolls below it.
    const room = (one: Element): Element | undefined => around(one).find((clip) => /sticky|fixed/.test(style(clip).position) || (clipping(clip) && scrolls(style(clip).overflowY) && scrollsY(clip)));
    for (const a of places) {
      if ((a.width >= 23.5 && a.height >= 23.5) || (a.one.localName === "a" && sentence(a.one)) || a.one.closest("label")?.matches("label") && box(a.one.closest("label")!).height >= 23.5) continue;
      const [x, y] = [(a.left + a.right) / 2, (a.top + a.bottom) / 2];
      const near = places.find((b) => {
        if (b.one === a.one || b.one.contains(a.one) || a.one.contains(b.one)) return false;
        const small = b.width < 23.5 || b.height < 23.5;
        const close = small ? Math.hypot((b.left + b.right) / 2 - x, (b.top + b.bottom) / 2 - y) < 23.5 : Math.hypot(Math.max(b.left - x, x - b.right, 0), Math.max(b.top - y, y - b.bottom, 0)) < 11.75;
        // What scrolls below another box comes away from it.
        return close && room(a.one) === room(b.one);
      });
      if (near) say("target", a.one, `${Math.round(a.width)} × ${Math.round(a.height)} px, and ${path(near.one)} is too near`);
    }
  }

  // ---- numbers of a column end below each other

  if (wanted.has("numbers"))
    for (const table of document.body.querySelectorAll("table")) {
      if (!seen(table)) continue;
      const columns = new Map<number, { cell: Element; right: number; even: boolean; text: string }[]>();
      for (const cell of table.querySelectorAll<HTMLTableCellElement>(":scope > tbody > tr > td")) {
        const text = cell.textContent!.trim();
        // Two points or more: an address or a version, which is a name.
        if (!/^[\d,]+(\.\d+)?$/.test(text) || cell.colSpan > 1 || !seen(cell) || style(cell).display !== "table-cell") continue;
        const piece = pieces.find((one) => cell.contains(one.of));
        if (!piece) continue;
        let row = columns.get(cell.cellIndex);
        if (!row) columns.set(cell.cellIndex, (row = []));
        row.push({ cell, right: piece.rect.right, even: style(piece.of).fontVariantNumeric.includes("tabular-nums") || style(piece.of).fontFamily.includes("Mono"), text });
      }
      for (const numbers of columns.values()) {
        const rights = numbers.map(({ right }) => right);
        if (numbers.length < 2 || new Set(numbers.map(({ text }) => text)).size < 2) continue;
        if (Math.max(...rights) - Math.min(...rights) > 1) say("numbers", numbers[0]!.cell, `the numbers ${numbers.slice(0, 3).map(({ text }) => text).join(", ")} of a column don’t end below each other`);
        else if (numbers.some(({ even }) => !even)) say("numbers", numbers[0]!.cell, `the digits of ${numbers.slice(0, 3).map(({ text }) => text).join(", ")} have different widths`);
      }
    }
  return found;
}
