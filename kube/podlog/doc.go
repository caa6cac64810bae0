// Package podlog reads the log of a container, as an API server sends it, into lines for people.
//
//	bytes ──▶ Reader ──▶ Line: time, text without control sequences, styled parts, level, fields of a JSON line
//	                       └──▶ Log: the newest lines within bounds, and how many it has dropped
//
// A log is written by a program that may be hostile to whoever reads it: lines without an end, bytes that aren't text, and sequences that would
// rename a terminal's window or fill its clipboard (threat: hostile log). Only what sets colors and weights is kept.
package podlog
