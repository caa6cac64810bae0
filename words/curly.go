package words

import "regexp"

var apostrophe = regexp.MustCompile(`(\pL)'(\pL)`)

// Curly gives a text of ours the apostrophes of pages. Errors have straight ones, because terminals show them too. Quotation marks stay as they are.
func Curly(text string) string { return apostrophe.ReplaceAllString(text, "$1’$2") }
