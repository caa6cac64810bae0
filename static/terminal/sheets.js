// xterm writes rules into style elements, which the pages’ policy refuses. Sheets that a script makes need no exception.

/** An element that is used like a style element. Its text becomes a sheet of the document, until the element is removed. */
export function sheetIn(document) {
  const sheet = new CSSStyleSheet();
  const place = document.createElement("span");
  place.hidden = true;
  Object.defineProperties(place, {
    textContent: { set: (rules) => sheet.replaceSync(rules) },
    remove: {
      value() {
        document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
        Element.prototype.remove.call(place);
      },
    },
  });
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  return place;
}
