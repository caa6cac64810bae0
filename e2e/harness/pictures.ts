// Pictures for people to look at: make pictures asks for them.
export const pictures = !!process.env["PICTURES"];
