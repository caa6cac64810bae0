// Package rules holds tests about the house itself rather than about what it does: who may import whom, how long a
// function may be, what may lie in the repository. Each rule says in its failure why it is there; a rule that no longer
// earns its keep is deleted together with its reason.
package rules
