//go:build js && wasm

package dom

import "syscall/js"

// kept is the prefix of the keys in the browser's storage.
const kept = "fieldmark."

// Keep implements app.Screen.
func (s *Screen) Keep(key, value string) { s.shim.Call("keep", kept+key, value) }

// Kept implements app.Screen.
func (s *Screen) Kept(key string) (value string, ok bool) {
	if v := s.shim.Call("kept", kept+key); v.Type() == js.TypeString {
		return v.String(), true
	}
	return "", false
}

// Prefer implements app.Screen.
func (s *Screen) Prefer(cookie, value string) { s.shim.Call("prefer", cookie, value) }

// Theme implements app.Screen.
func (s *Screen) Theme(choice string) { s.shim.Call("theme", choice) }
