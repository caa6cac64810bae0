package request

import (
	"net/url"
	"strings"

	"github.com/fieldmark/fieldmark/kube/apipath"
)

// Command is a command for kubectl.
type Command struct {
	Line string `json:"line"`           // the most similar command; empty: there is none
	Note string `json:"note,omitempty"` // how the command differs from the request; empty: not at all
	// Raw sends exactly this request with --raw, but with the media types of kubectl; empty: kubectl can't.
	Raw string `json:"raw,omitempty"`
}

// Kubectl is the request as a command for kubectl, or the most similar command.
func (r Request) Kubectl() Command {
	p, err := apipath.Parse(r.Path)
	c := Command{Raw: r.raw()}
	switch {
	case err != nil:
		c.Note = "kubectl has no command for this path."
		return c
	case p.IsResource():
		c.Line, c.Note = r.nearest(p)
	}
	if c.Line == "" {
		c.Line = c.Raw
	}
	switch {
	case c.Line == "":
		c.Note = "kubectl has no command for this request."
	case c.Line == c.Raw && c.Note == "" && r.bodyIsForeign():
		c.Note = "kubectl sends the body without a media type, which the API server reads as JSON."
	}
	return c
}

// bodyIsForeign tells whether the body has a media type that --raw can't send.
func (r Request) bodyIsForeign() bool {
	media, _, _ := strings.Cut(r.Field("Content-Type"), ";")
	return len(r.Body) > 0 && media != "application/json"
}

// raw is the command with --raw. The command's name decides the method.
func (r Request) raw() string {
	target := r.Target()
	switch r.Method {
	case Get:
		return command("kubectl", "get", "--raw", target)
	case Post:
		return fed(command("kubectl", "create", "--raw", target, "-f", "-"), r.Body)
	case Put:
		return fed(command("kubectl", "replace", "--raw", target, "-f", "-"), r.Body)
	case Delete:
		if len(r.Body) == 0 {
			return command("kubectl", "delete", "--raw", target)
		}
		return fed(command("kubectl", "delete", "--raw", target, "-f", "-"), r.Body)
	}
	return ""
}

// nearest is the command for a request on a resource, and how it differs from the request. If line is empty, only --raw is possible.
func (r Request) nearest(p apipath.Path) (line, note string) {
	switch r.Verb() {
	case "get":
		return r.kubectlGet(p)
	case "list":
		return r.kubectlList(p)
	case "watch":
		return r.kubectlWatch(p)
	case "create":
		return r.kubectlCreate(p)
	case "update":
		return r.kubectlReplace(p)
	case "patch":
		return r.kubectlPatch(p)
	case "delete", "deletecollection":
		return r.kubectlDelete(p)
	}
	return "", ""
}

// line is a command for the resource of a path, without options: kubectl get deployments.v1.apps web -n shop.
func line(p apipath.Path, verb ...string) []string {
	all := append([]string{"kubectl"}, verb...)
	resource := p.Resource
	if p.Group != "" {
		resource += "." + p.Version + "." + p.Group
	}
	all = append(all, resource)
	if p.Name != "" {
		all = append(all, p.Name)
	}
	return namespaced(all, p)
}

func namespaced(words []string, p apipath.Path) []string {
	if p.Namespace != "" {
		return append(words, "-n", p.Namespace)
	}
	return words
}

// only tells whether the request has no parameters except these.
func (r Request) only(names ...string) bool {
	for name := range r.Query {
		if !among(" "+strings.Join(names, " ")+" ", name) {
			return false
		}
	}
	return true
}

// options are the options of kubectl for parameters. names has pairs of a parameter and its option.
func (r Request) options(names ...string) []string {
	var all []string
	for i := 0; i+1 < len(names); i += 2 {
		if value := r.Query.Get(names[i]); value != "" {
			all = append(all, names[i+1]+"="+value)
		}
	}
	return all
}

// form is the requested format: "json", "yaml", "table", or a media type that kubectl doesn't print.
func (r Request) form() string {
	accept := r.Field("Accept")
	first, _, _ := strings.Cut(accept, ",")
	media, parameters, _ := strings.Cut(first, ";")
	switch media = strings.TrimSpace(media); {
	case strings.Contains(parameters, "as=Table"):
		return "table"
	case strings.Contains(parameters, "as="):
		return "other"
	case media == "application/yaml":
		return "yaml"
	case media == "", media == "*/*", media == "application/json":
		return "json"
	}
	return "other"
}

func (r Request) kubectlGet(p apipath.Path) (string, string) {
	form := r.form()
	switch {
	case p.Subresource == "log" && p.Resource == "pods":
		return r.kubectlLogs(p)
	case p.Subresource == "exec" && p.Resource == "pods":
		return r.kubectlExec(p)
	case p.Subresource != "" && p.Subresource != "status" && p.Subresource != "scale", !r.only("pretty"), form == "other":
		return "", formNote(form)
	}
	words := line(p, "get")
	if p.Subresource != "" {
		words = append(words, "--subresource="+p.Subresource)
	}
	if form == "table" {
		return command(words...), "The command prints the Table as columns."
	}
	return command(append(words, "-o", form, "--show-managed-fields")...), ""
}

func formNote(form string) string {
	if form == "other" {
		return "kubectl can’t request this media type. It requests JSON."
	}
	return ""
}

func (r Request) kubectlList(p apipath.Path) (string, string) {
	form := r.form()
	if form == "other" || !r.only("limit", "labelSelector", "fieldSelector", "pretty") {
		return "", formNote(form)
	}
	words := line(p, "get")
	if p.Namespace == "" {
		words = append(words, "--all-namespaces")
	}
	words = append(words, r.options("labelSelector", "--selector", "fieldSelector", "--field-selector")...)
	limit := r.Query.Get("limit")
	if limit == "" {
		limit = "0"
	}
	words = append(words, "--chunk-size="+limit)
	if form == "table" {
		return command(words...), "The command requests all chunks until it has the whole collection, and prints it as columns."
	}
	return command(append(words, "-o", form, "--show-managed-fields")...),
		"The command requests all chunks, and prints the items in a new list without the collection’s resourceVersion."
}

func (r Request) kubectlWatch(p apipath.Path) (string, string) {
	form := r.form()
	if form == "other" || p.Watch || p.Name != "" || !r.only("watch", "labelSelector", "fieldSelector", "pretty") {
		return "", formNote(form)
	}
	words := append(line(p, "get"), "--watch", "--output-watch-events")
	if p.Namespace == "" {
		words = append(words, "--all-namespaces")
	}
	words = append(words, r.options("labelSelector", "--selector", "fieldSelector", "--field-selector")...)
	if form != "table" {
		words = append(words, "-o", form)
	}
	return command(words...), "The command lists first, prints the objects as ADDED events, and then watches from the list’s resourceVersion."
}

func (r Request) kubectlLogs(p apipath.Path) (string, string) {
	if !r.only("container", "follow", "previous", "tailLines", "limitBytes", "sinceSeconds", "sinceTime", "timestamps", "insecureSkipTLSVerifyBackend", "pretty") {
		return "", ""
	}
	words := namespaced([]string{"kubectl", "logs", p.Name}, p)
	words = append(words, r.options("container", "--container", "tailLines", "--tail", "limitBytes", "--limit-bytes", "sinceTime", "--since-time")...)
	if since := r.Query.Get("sinceSeconds"); since != "" {
		words = append(words, "--since="+since+"s")
	}
	for _, flag := range []string{"follow", "previous", "timestamps"} {
		if on(r.Query.Get(flag)) {
			words = append(words, "--"+flag)
		}
	}
	if on(r.Query.Get("insecureSkipTLSVerifyBackend")) {
		words = append(words, "--insecure-skip-tls-verify-backend")
	}
	return command(words...), ""
}

func (r Request) kubectlExec(p apipath.Path) (string, string) {
	words := namespaced([]string{"kubectl", "exec", p.Name}, p)
	words = append(words, r.options("container", "--container")...)
	for _, flag := range []string{"stdin", "tty"} {
		if on(r.Query.Get(flag)) {
			words = append(words, "--"+flag)
		}
	}
	words = append(words, "--")
	return command(append(words, r.Query["command"]...)...), "The command upgrades the connection to a stream in both directions. A plain request can’t do that."
}

// writing are the options of all commands that write.
func (r Request) writing() []string {
	all := r.options("fieldManager", "--field-manager")
	if r.Query.Get("dryRun") == "All" {
		all = append(all, "--dry-run=server")
	}
	return all
}

// validating are the options of all commands that read manifests.
func (r Request) validating() []string {
	if v := r.Query.Get("fieldValidation"); v != "" {
		return append(r.writing(), "--validate="+strings.ToLower(v))
	}
	return r.writing()
}

// managed says which field manager the command uses if the request has none.
func (r Request) managed(command, note string) string {
	if r.Query.Get("fieldManager") == "" {
		return strings.TrimSpace("The command uses the field manager " + command + ". " + note)
	}
	return note
}

func (r Request) kubectlCreate(p apipath.Path) (string, string) {
	if p.Kind != apipath.KindCollection || len(r.Body) == 0 || !r.only("fieldManager", "dryRun", "fieldValidation", "pretty") {
		return "", ""
	}
	words := namespaced([]string{"kubectl", "create", "-f", "-", "-o", "json", "--show-managed-fields"}, p)
	return fed(command(append(words, r.validating()...)...), r.Body), r.managed("kubectl-create", "")
}

func (r Request) kubectlReplace(p apipath.Path) (string, string) {
	if len(r.Body) == 0 || !r.only("fieldManager", "dryRun", "fieldValidation", "pretty") || p.Kind != apipath.KindObject && p.Subresource != "status" {
		return "", ""
	}
	words := namespaced([]string{"kubectl", "replace", "-f", "-", "-o", "json", "--show-managed-fields"}, p)
	if p.Subresource != "" {
		words = append(words, "--subresource="+p.Subresource)
	}
	return fed(command(append(words, r.validating()...)...), r.Body),
		r.managed("kubectl-replace", "If the body has no resourceVersion, the command reads the object first and uses its resourceVersion.")
}

func (r Request) kubectlDelete(p apipath.Path) (string, string) {
	if len(r.Body) > 0 || p.Kind == apipath.KindSubresource || !r.only("dryRun", "propagationPolicy", "gracePeriodSeconds", "labelSelector", "fieldSelector", "pretty") {
		return "", ""
	}
	words := append(line(p, "delete"), "--wait=false")
	var notes []string
	if p.Kind == apipath.KindCollection {
		notes = append(notes, "The command lists the objects, and deletes each with its own request.")
		words = append(words, selected(r.Query)...)
	}
	if r.Query.Get("propagationPolicy") == "" {
		notes = append(notes, "The command requests background deletion. The request leaves this to the kind.")
	}
	if policy := r.Query.Get("propagationPolicy"); policy != "" {
		words = append(words, "--cascade="+strings.ToLower(policy))
	}
	if grace := r.Query.Get("gracePeriodSeconds"); grace != "" {
		words = append(words, "--grace-period="+grace)
		if grace == "0" {
			words = append(words, "--force")
		}
	}
	if r.Query.Get("dryRun") == "All" {
		words = append(words, "--dry-run=server")
	}
	return command(words...), strings.Join(notes, " ")
}

func selected(query url.Values) []string {
	labels, fields := query.Get("labelSelector"), query.Get("fieldSelector")
	switch {
	case labels != "":
		return []string{"--selector=" + labels}
	case fields != "":
		return []string{"--field-selector=" + fields}
	}
	return []string{"--all"}
}
