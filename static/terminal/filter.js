// What output may not do to the page around the terminal (threat: hostile terminal output).

/** Commands that would rename the window, name a folder, make links, notify, change the font, write the clipboard, or run a terminal’s extensions. */
const refused = [0, 1, 2, 7, 8, 9, 50, 52, 99, 133, 777, 1337];
/** Commands that set colors. A program may ask for a color, but not change it: text in the color of the paper would be hidden. */
const colours = [4, 5, 10, 11, 12, 13, 14, 17, 19, 104, 105, 110, 111, 112, 113, 114, 117, 119];

const isQuestion = (data) => /^(?:\d+;)?\?$/.test(data);

/** Refuses these commands in a terminal. xterm itself does few of them today; the list holds if it learns more. */
export function filter({ parser }) {
  for (const code of refused) parser.registerOscHandler(code, () => true);
  for (const code of colours) parser.registerOscHandler(code, (data) => !isQuestion(data));
  parser.registerCsiHandler({ final: "t" }, () => true); // moves, sizes and names of windows, and questions about them
}
