package refusal

import (
	"strings"

	"github.com/fieldmark/fieldmark/kube/status"
)

const dryRun = " dry-run failed"

// readAdvice reads the advice that kubectl prints after every conflict.
func readAdvice(t *text, at, _ int) (piece, bool) {
	const advice = 1500
	rest := t.string[at:min(len(t.string), at+advice)]
	end := len(t.string[at:t.line(at)])
	if n := strings.Index(rest, "#conflicts"); n >= 0 {
		end = n + len("#conflicts")
	}
	return piece{start: at, end: at + end, after: Kubectl}, true
}

// said makes a note on the next refusal, which begins where the note ends.
func (t *text) said(start, end int, n note) (piece, bool) {
	n.begins = true
	n.message = strings.Trim(t.string[end:t.line(end)], " \t:")
	return piece{start: start, end: end, note: &n}, true
}

// readFromServer reads kubectl's Error from server (Conflict):
func readFromServer(t *text, at, _ int) (piece, bool) {
	end := at + len("Error from server")
	n := note{tool: Kubectl}
	if rest := t.string[end:min(len(t.string), end+64)]; strings.HasPrefix(rest, " (") {
		word, _, ok := strings.Cut(rest[2:], "): ")
		if !ok || !plainWord(word) {
			return piece{}, false
		}
		n.word = word
		end += len(word) + len(" (): ")
	} else if strings.HasPrefix(rest, ": ") {
		end += 2
	} else {
		return piece{}, false
	}
	return t.said(at, end, n)
}

// readFlux reads the object that Flux names: Deployment/shop/web dry-run failed (Invalid):
func readFlux(t *text, at, from int) (piece, bool) {
	low := max(from, at-512)
	start := low + strings.LastIndexAny(t.string[low:at], " \t\n,;\"[(") + 1
	parts := strings.Split(t.string[start:at], "/")
	if len(parts) < 2 || len(parts) > 3 || !plainWord(parts[0]) || typed(parts[0]).Kind == "" || parts[len(parts)-1] == "" {
		return piece{}, false
	}
	n := note{tool: Flux, object: Object{Kind: parts[0], Name: parts[len(parts)-1]}}
	if len(parts) == 3 {
		n.object.Namespace = parts[1]
	}
	var end int
	n.word, end = t.fluxReason(at)
	return t.said(start, end, n)
}

// fluxReason reads the status reason after Flux's words, as "dry-run failed (Invalid): ", or as versions before 2.2 have it: "dry-run
// failed, reason: Invalid, error: ".
func (t *text) fluxReason(at int) (word string, end int) {
	line := t.string[at:t.line(at)]
	words, rest, _ := strings.Cut(line, ": ")
	end = at + len(line) - len(rest)
	switch {
	case strings.HasSuffix(words, ")"):
		_, word, _ = strings.Cut(strings.TrimSuffix(words, ")"), "(")
	case strings.HasSuffix(words, ", reason"):
		if said, after, ok := strings.Cut(rest, ", error: "); ok && plainWord(said) {
			word, end = said, at+len(line)-len(after)
		}
	}
	if word == status.FieldManagerConflict {
		word = status.Conflict
	}
	return word, end
}

// readHelmObject reads the object that Helm 4 names: while applying object shop/web apps/v1, Kind=Deployment:
func readHelmObject(t *text, at, _ int) (piece, bool) {
	line := t.string[at:min(t.line(at), at+1024)]
	name, rest, ok := strings.Cut(line[len(" object "):], " ")
	version, kind, found := strings.Cut(rest, ", Kind=")
	if !ok || !found || strings.ContainsAny(version, " \"") {
		return piece{}, false
	}
	kind, _, ok = strings.Cut(kind, ":")
	if !ok || !plainWord(kind) {
		return piece{}, false
	}
	o := Object{Kind: kind}
	o = o.of(version)
	o.Namespace, o.Name, _ = strings.Cut(name, "/")
	end := at + len(" object ") + len(name) + 1 + len(version) + len(", Kind=") + len(kind) + 1
	return t.said(at, end, note{tool: Helm, object: o})
}

// readHelmPatch reads the object that Helm names when it patches: cannot patch "web" with kind Deployment:
func readHelmPatch(t *text, at, _ int) (piece, bool) {
	name, end, ok := t.quote(at + len("cannot patch "))
	rest, found := strings.CutPrefix(t.string[end:], " with kind ")
	kind, _, colon := strings.Cut(rest[:min(len(rest), 256)], ":")
	if !ok || !found || !colon || !plainWord(kind) {
		return piece{}, false
	}
	return t.said(at, end+len(" with kind :")+len(kind), note{tool: Helm, object: Object{Kind: kind, Name: name}})
}

// readManifest reads the object that Terraform names: the manifest for "shop/web"
func readManifest(t *text, at, _ int) (piece, bool) {
	name, end, ok := t.quote(at + len("manifest for "))
	if !ok {
		return piece{}, false
	}
	n := note{tool: Terraform}
	n.object.Namespace, n.object.Name, _ = strings.Cut(name, "/")
	return t.said(at, end, n)
}

// readDiagnostic reads what Terraform says after the server's sentence: Kubernetes API Error: Invalid Deployment.apps [web]. It tells
// nothing new.
func readDiagnostic(t *text, at, _ int) (piece, bool) {
	return piece{start: at, end: t.line(at), after: Terraform}, true
}

// readPulumi reads the object that Pulumi names: resource "shop/web" was not successfully created by the Kubernetes API server:
func readPulumi(t *text, at, _ int) (piece, bool) {
	begin := at + len("resource ")
	if words := "the Kubernetes API server reported that "; strings.HasPrefix(t.string[at:], words) {
		begin = at + len(words)
	}
	name, next, quoted := t.quote(begin)
	if !quoted {
		line := t.string[begin:t.line(begin)]
		name, _, _ = strings.Cut(line, " ")
		next = begin + len(name)
	}
	for _, words := range []string{
		" was not successfully created by the Kubernetes API server", " was not successfully updated by the Kubernetes API server",
		" failed to fully initialize or become live", " was created but failed to initialize",
	} {
		if strings.HasPrefix(t.string[next:], words) {
			n := note{tool: Pulumi, object: ofURN(name)}
			return t.said(at, min(len(t.string), next+len(words)), n)
		}
	}
	return piece{}, false
}

// ofURN is the object that Pulumi names by namespace and name, or by a URN. A URN has the type, and a name that only Pulumi knows.
func ofURN(name string) (o Object) {
	if rest, ok := strings.CutPrefix(name, "urn:pulumi:"); ok {
		if i := strings.LastIndex(rest, "kubernetes:"); i >= 0 {
			kind, _, _ := strings.Cut(rest[i+len("kubernetes:"):], "::")
			version, kind, _ := strings.Cut(kind, ":")
			o.Kind = kind
			o = o.of(strings.TrimPrefix(version, "core/"))
		}
		return o
	}
	if namespace, name, ok := strings.Cut(name, "/"); ok {
		o.Namespace, o.Name = namespace, name
	} else {
		o.Name = name
	}
	return o
}

// readApplier reads the manager of the refused request, as Pulumi prints it: The resource managed by field manager "x" had an apply conflict:
func readApplier(t *text, at, _ int) (piece, bool) {
	name, end, ok := t.quote(at + len("The resource managed by field manager "))
	const words = " had an apply conflict:"
	if !ok || !strings.HasPrefix(t.string[end:], words) {
		return piece{}, false
	}
	return piece{start: at, end: end + len(words), note: &note{tool: Pulumi, manager: name}}, true
}

// readWhen reads the file that kubectl names: error when patching "web.yaml":
func readWhen(t *text, at, _ int) (piece, bool) {
	verb, _, ok := strings.Cut(t.string[at:min(len(t.string), at+64)], "\"")
	if !ok || strings.ContainsAny(verb, ":\n") {
		return piece{}, false
	}
	file, end, ok := t.quote(at + len(verb))
	if !ok {
		return piece{}, false
	}
	n := note{tool: Kubectl, file: file}
	if strings.HasPrefix(file, "/dev/shm/") { // Argo CD writes manifests for kubectl there
		n.tool, n.file = ArgoCD, ""
	}
	return piece{start: at, end: end, note: &n}, true
}

// readEviction reads the pod that kubectl drain names: error when evicting pods/"web-1" -n "shop" (will retry after 5s):
func readEviction(t *text, at, _ int) (piece, bool) {
	o := Object{Resource: "pods"}
	var ok bool
	end := at + len("error when evicting pods/")
	if o.Name, end, ok = t.quote(end); !ok {
		return piece{}, false
	}
	if strings.HasPrefix(t.string[end:], " -n ") {
		if namespace, next, ok := t.quote(end + len(" -n ")); ok {
			o.Namespace, end = namespace, next
		}
	}
	if again := " (will retry after 5s)"; strings.HasPrefix(t.string[end:], again) {
		end += len(again)
	}
	return t.said(at, end, note{tool: Kubectl, object: o})
}

// readMapping reads kubectl's resource mapping not found for name: "web" namespace: "shop" from "web.yaml":
func readMapping(t *text, at, _ int) (piece, bool) {
	n, end := note{tool: Kubectl}, at+len("resource mapping not found for")
	for _, part := range []struct {
		words string
		to    *string
	}{{" name: ", &n.object.Name}, {" namespace: ", &n.object.Namespace}, {" from ", &n.file}} {
		if strings.HasPrefix(t.string[end:], part.words) {
			if held, next, ok := t.quote(end + len(part.words)); ok {
				*part.to, end = held, next
			}
		}
	}
	return t.said(at, end, n)
}

// readPatchTo reads the object that kubectl names when it patches: GroupVersionKind: "apps/v1, Kind=Deployment", Name: "web",
// Namespace: "shop"
func readPatchTo(t *text, at, _ int) (piece, bool) {
	kind, end, ok := t.quote(at + len("GroupVersionKind: "))
	if !ok {
		return piece{}, false
	}
	o := ofKind(kind)
	for _, part := range []struct {
		words string
		to    *string
	}{{"Name: ", &o.Name}, {"Namespace: ", &o.Namespace}} {
		next := t.space(end)
		if next < len(t.string) && t.string[next] == ',' {
			next = t.space(next + 1)
		}
		if strings.HasPrefix(t.string[next:], part.words) {
			if held, stop, ok := t.quote(next + len(part.words)); ok {
				*part.to, end = held, stop
			}
		}
	}
	return piece{start: at, end: end, note: &note{tool: Kubectl, object: o}}, true
}

// readServerSideDiff reads the object that Argo CD names: in dryrun mode for resource Deployment/web:
func readServerSideDiff(t *text, at, _ int) (piece, bool) {
	begin := at + len("in dryrun mode for resource ")
	word, _, ok := strings.Cut(t.string[begin:t.line(begin)], ":")
	kind, name, found := strings.Cut(word, "/")
	if !ok || !found || !plainWord(kind) || strings.Contains(name, " ") {
		return piece{}, false
	}
	return t.said(at, begin+len(word)+1, note{tool: ArgoCD, object: Object{Kind: kind, Name: name}})
}
