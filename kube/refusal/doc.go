// Package refusal reads the text of a refusal, as kubectl, Helm, Flux, Argo CD, Terraform, Pulumi or a Go client prints it. It finds
// what was refused, by which rule, on which objects and fields, and in conflict with which managers.
//
//	text ──▶ clean: removes colours, frames, time stamps and line wraps
//	     ──▶ open:  reads the text inside JSON and quotes, a Status by kube/status
//	     ──▶ scan:  finds phrases of API servers and tools; each begins a piece
//	                  note:    the tool, object, file or status reason of the next refusal
//	                  refusal: one refusal, up to its end
//	     ──▶ Reading: the refusals in the order of the text, and Rest, the text that belongs to none of them
//
// Package refusal promises:
//
//   - It guesses nothing. Parts that the text doesn't have are empty. Text that isn't understood is in Rest, unchanged and in its order, without frames of tools and
//     stack traces.
//     A text in another language has no refusals and is all Rest. Bytes that are not text are only reported as Binary.
//   - Several refusals in one text are several results.
//   - Paths of fields are in structured-merge-diff's notation.
//   - The work is linear in the length of the text. Text after MaxText isn't read; Cut reports it.
//   - All returned text is untrusted.
//
// It knows the messages of Kubernetes 1.37, of Helm 4.2, and of the other tools' sources and issues. The tests say where each message is from.
package refusal
