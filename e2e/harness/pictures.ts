// Pictures for people, made by `make pictures`.
export const pictures = !!process.env["PICTURES"];
