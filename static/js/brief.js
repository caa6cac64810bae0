// Small words over the page.

/** Makes an element with these properties and this content. */
export function make(name, fields, ...content) {
  const element = Object.assign(document.createElement(name), fields);
  element.append(...content);
  return element;
}

/** Shows words over the page for a few seconds. The announcer says them to screen readers. */
export function tellBriefly(words) {
  const shown = make("p", { className: "told-briefly", ariaHidden: "true" }, words);
  document.querySelector(".told-briefly")?.remove();
  document.body.append(shown);
  setTimeout(() => shown.remove(), 4000);
}
