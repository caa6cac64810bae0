// Package components holds the pieces that more than one page is made of. Each takes a plain value
// that says what to show, with every link already built, and knows nothing of clusters or requests.
package components
