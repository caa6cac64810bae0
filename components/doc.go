// Package components has the pieces that more than one page uses, such as tables, documents and notices. Each takes a plain value with the
// content, including all links, and renders it. Components know nothing of clusters or requests.
//
// Every component has specimens (package specimen): the golden tests compare their HTML, and the gallery shows them.
package components
