// Package newtool proves how little a new tool needs: a folder of its own, and two lines in the list of its wing.
package newtool
