// What looks wrong to the detector and isn't. Each has its reason, and one that nothing needs fails the run.
import { type Kind } from "./look.ts";

export interface Exception {
  readonly kind: Kind;
  /** The element's path, as the finding says it. */
  readonly where: RegExp;
  readonly why: string;
}

export const exceptions: readonly Exception[] = [
  {
    kind: "target",
    where: /a#at-[^ ]*\.gutter$/,
    why: "a line's owner is beside its line, and lines are as high as text: with 24 px, a document would have a third less in a window. The list of owners, the search and the keys lead to the same",
  },
  {
    kind: "target",
    where: /li#line-[^ ]* > button\.fold$/,
    why: "as for the lines of a document: a field that folds is in a line, and lines are as high as text",
  },
  {
    kind: "target",
    where: /tr#line-[^ ]* > td\.log-time > a$/,
    why: "as for the lines of a document: a log is read as one text, and the address of a line is in the address bar once it is chosen",
  },
  {
    kind: "target",
    where: /p\.http-line > button\.part$/,
    why: "the parts of a request line are in a sentence, and as high as its line",
  },
  {
    kind: "cut",
    where: /tr#row-[^>]* > td\.number$/,
    why: "the samples with long names have a name where a number stands; numbers have 20 digits at most",
  },
  {
    kind: "cut",
    where: /tr#event-\d+ > td > button\.quiet\.mono$/,
    why: "the samples have a name where a resource version stands, which has 20 digits at most",
  },
  {
    kind: "sideways",
    where: /svg\.snapshot > text\.at-version$/,
    why: "the samples have a name where a resource version stands, which has 20 digits at most",
  },
  {
    kind: "target",
    where: /svg\.managers-(squares|names)\b/,
    why: "a square is as large as what it stands for. A manager’s name in the table leads to its types, and these to the same objects, with 24 px and for the keys",
  },
  {
    kind: "target",
    where: /svg\.portions > a$/,
    why: "a part of the bar is as wide as its share of the object. The rows below it lead to the same owners, with 24 px and for the keys",
  },
];
