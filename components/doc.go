// Package components has the pieces that more than one page uses. Each takes a plain value that says what to show, with every link
// already built, and knows nothing of clusters or requests.
package components
