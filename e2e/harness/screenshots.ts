// Pictures for people, made by `make screenshots`.
export const screenshots = !!process.env["SCREENSHOTS"];
