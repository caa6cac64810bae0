// Package refusal reads the text of a refusal, as kubectl, Helm, Flux, Argo CD, Terraform, Pulumi or a Go client prints it. It finds
// what was refused, by which rule, on which objects and fields, and in conflict with which managers.
//
//	text ──▶ clean: colours, frames, time stamps and line wraps go
//	     ──▶ open:  JSON and quoted text are read as what they hold, a Status by kube/status
//	     ──▶ scan:  phrases that API servers and tools print begin a piece of text
//	                  note:    the tool, the object, the file, the status reason; for the refusal that follows
//	                  refusal: read to its end
//	     ──▶ Reading: the refusals in the order of the text, and Rest, the text between that belongs to none of them
//
// What is promised:
//
//   - Nothing is guessed. A part that the text doesn't tell is empty, and text that isn't understood is in Rest, in the order and in the
//     words of the input. A text in another language has no refusals and is all Rest; bytes that are no text are only reported as Binary.
//   - Several refusals in one text are several results.
//   - Paths of fields are in structured-merge-diff's notation, as everywhere in the product.
//   - The work is linear in the length of the text, and text beyond MaxText isn't read, which Cut reports.
//   - Everything that is returned is untrusted text.
//
// The forms are those of Kubernetes 1.37, of Helm 4.2 and of the other tools' sources and issues. The tests say where each is from.
package refusal
