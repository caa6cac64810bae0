// Package tools has the tools, prompts and resources that Fieldmark offers to assistants, by the Model Context Protocol. The terminal and the server
// serve them.
//
//	call ──▶ schema ──▶ a tool ──▶ Cluster: reads and dry runs, through a gate ──▶ kube ──▶ Answer ──▶ cleaned, bounded ──▶ JSON
//
// Text from a cluster is data, and nothing else. It only stands below a member whose name ends in _from_cluster. All other text of an answer is
// Fieldmark's own. Characters that nobody sees are replaced, and markup is escaped. That can't stop an assistant from obeying what it reads.
package tools
