package request

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/lazy"
)

// GoClient is the request as a program in Go with client-go. It uses the dynamic client if that can send the whole request, and a REST
// client otherwise.
func (r Request) GoClient() string {
	if call, ok := r.dynamic(); ok {
		return program(call)
	}
	return program(r.rest())
}

// goCall has the parts in which these programs differ.
type goCall struct {
	imports []string // besides those of all programs
	client  string   // the package of the client
	code    []string // with client and ctx, one line each
}

func program(c goCall) string {
	if strings.Contains(strings.Join(c.code, "\n"), "ptr.To(") {
		c.imports = append(c.imports, `"k8s.io/utils/ptr"`)
	}
	imports := append([]string{`"context"`, `"fmt"`, ``, `"k8s.io/client-go/tools/clientcmd"`, `"k8s.io/client-go/` + c.client + `"`}, c.imports...)
	made := map[string]string{"dynamic": "dynamic.NewForConfig(config)", "discovery": "discovery.NewDiscoveryClientForConfig(config)"}[c.client]
	var b strings.Builder
	b.WriteString("package main\n\nimport (\n")
	for _, i := range imports {
		if i != "" {
			i = "\t" + i
		}
		b.WriteString(i + "\n")
	}
	b.WriteString(")\n\nfunc main() {\n\tctx := context.Background()\n" +
		"\tconfig, err := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(\n" +
		"\t\tclientcmd.NewDefaultClientConfigLoadingRules(), &clientcmd.ConfigOverrides{}).ClientConfig()\n" + failed + "\tclient, err := " + made + "\n" + failed)
	for _, line := range c.code {
		b.WriteString("\t" + line + "\n")
	}
	b.WriteString("}\n")
	return b.String()
}

const failed = "\tif err != nil {\n\t\tpanic(err)\n\t}\n"

// rest sends exactly this request.
func (r Request) rest() goCall {
	code := []string{fmt.Sprintf("request := client.RESTClient().Verb(%q).RequestURI(%q)", r.Method, r.Target())}
	for _, h := range r.carried() {
		code = append(code, fmt.Sprintf("request.SetHeader(%q, %q)", h.Name, h.Value))
	}
	if len(r.Body) > 0 {
		code = append(code, "request.Body([]byte("+literal(string(r.Body))+"))")
	}
	if r.streams() {
		return goCall{client: "discovery", imports: []string{`"io"`, `"os"`}, code: append(code,
			"answer, err := request.Stream(ctx)", "if err != nil {", "\tpanic(err)", "}", "defer answer.Close()",
			"if _, err := io.Copy(os.Stdout, answer); err != nil {", "\tfmt.Fprintln(os.Stderr, err)", "}")}
	}
	return goCall{client: "discovery", code: append(code,
		"var status int", "result := request.Do(ctx).StatusCode(&status)", "body, err := result.Raw()", "fmt.Println(status, string(body), err)")}
}

// literal is a text as a literal in Go, with several lines if the text has several.
func literal(s string) string {
	if pastable(s) && !strings.ContainsAny(s, "`\ufeff") && strings.ContainsAny(s, "\n\"") {
		return "`" + s + "`"
	}
	return strconv.Quote(s)
}

// dynamic sends the request with the dynamic client; ok is false if the dynamic client can't send all of it.
func (r Request) dynamic() (goCall, bool) {
	p, err := apipath.Parse(r.Path)
	if err != nil || !p.IsResource() || p.Watch || p.Rest != "" || r.form() != "json" || !pastable(string(r.Body)) || r.extra() {
		return goCall{}, false
	}
	var call goCall
	switch verb := r.Verb(); verb {
	case "get":
		call, err = r.goGet(p)
	case "list", "watch":
		call, err = r.goList(p, verb)
	case "create", "update":
		call, err = r.goWrite(p, verb)
	case "patch":
		call, err = r.goPatch(p)
	case "delete", "deletecollection":
		call, err = r.goDelete(p, verb)
	default:
		return goCall{}, false
	}
	if err != nil {
		return goCall{}, false
	}
	gvr := fmt.Sprintf("resource := schema.GroupVersionResource{Group: %q, Version: %q, Resource: %q}", p.Group, p.Version, p.Resource)
	call.client = "dynamic"
	call.imports = append(call.imports, `"k8s.io/apimachinery/pkg/runtime/schema"`, `metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"`)
	call.code = append([]string{gvr}, call.code...)
	return call, true
}

// extra tells whether there are headers that no option of client-go sets.
func (r Request) extra() bool {
	for _, h := range r.carried() {
		if name := strings.ToLower(h.Name); name != "accept" && name != "content-type" {
			return true
		}
	}
	return false
}

type unsaid string

func (u unsaid) Error() string { return "client-go's options can't say " + string(u) }

// goOn is the dynamic client for a path: client.Resource(resource).Namespace("shop").
func goOn(p apipath.Path) string {
	if p.Namespace == "" {
		return "client.Resource(resource)"
	}
	return fmt.Sprintf("client.Resource(resource).Namespace(%q)", p.Namespace)
}

// goFields has, for each parameter, the field of client-go's options and its type.
var goFields = lazy.Value[map[string][2]string]{Make: func() map[string][2]string {
	return map[string][2]string{
		"labelSelector": {"LabelSelector", "string"}, "fieldSelector": {"FieldSelector", "string"}, "limit": {"Limit", "int"}, "continue": {"Continue", "string"},
		"resourceVersion": {"ResourceVersion", "string"}, "resourceVersionMatch": {"ResourceVersionMatch", "string"}, "timeoutSeconds": {"TimeoutSeconds", "*int"},
		"sendInitialEvents": {"SendInitialEvents", "*bool"}, "allowWatchBookmarks": {"AllowWatchBookmarks", "bool"}, "watch": {"Watch", "bool"},
		"dryRun": {"DryRun", "[]string"}, "fieldManager": {"FieldManager", "string"}, "fieldValidation": {"FieldValidation", "string"}, "force": {"Force", "*bool"},
	}
}}

// goOptions writes the query as client-go's options.
func (r Request) goOptions(kind, has string) (string, error) {
	var fields []string
	for _, name := range sorted(r.Query) {
		field := goFields.Get()[name]
		if !among(" "+has+" ", name) || len(r.Query[name]) != 1 {
			return "", unsaid(name)
		}
		value, err := goValue(field[1], r.Query.Get(name))
		if err != nil {
			return "", err
		}
		fields = append(fields, field[0]+": "+value)
	}
	return "metav1." + kind + "{" + strings.Join(fields, ", ") + "}", nil
}

func goValue(kind, value string) (string, error) {
	switch kind {
	case "int", "*int":
		if _, err := strconv.ParseInt(value, 10, 64); err != nil {
			return "", unsaid(value)
		}
		if kind == "*int" {
			return "ptr.To(int64(" + value + "))", nil
		}
		return value, nil
	case "bool", "*bool":
		if value != "true" && value != "1" && value != "false" && value != "0" {
			return "", unsaid(value)
		}
		if kind == "*bool" {
			return fmt.Sprintf("ptr.To(%t)", on(value)), nil
		}
		return strconv.FormatBool(on(value)), nil
	case "[]string":
		return "[]string{" + strconv.Quote(value) + "}", nil
	}
	return strconv.Quote(value), nil
}

const printed = `fmt.Println(answer, err)`

// behind are the last arguments: the subresource, if there is one.
func behind(p apipath.Path) string {
	if p.Subresource == "" {
		return ")"
	}
	return fmt.Sprintf(", %q)", p.Subresource)
}

func (r Request) goGet(p apipath.Path) (goCall, error) {
	if p.Subresource == "log" || p.Connects() {
		return goCall{}, unsaid(p.Subresource)
	}
	options, err := r.goOptions("GetOptions", "resourceVersion")
	return goCall{code: []string{fmt.Sprintf("answer, err := %s.Get(ctx, %q, %s%s", goOn(p), p.Name, options, behind(p)), printed}}, err
}

func (r Request) goList(p apipath.Path, verb string) (goCall, error) {
	options, err := r.goOptions("ListOptions", "labelSelector fieldSelector limit continue resourceVersion resourceVersionMatch timeoutSeconds sendInitialEvents allowWatchBookmarks watch")
	if verb == "list" {
		return goCall{code: []string{fmt.Sprintf("answer, err := %s.List(ctx, %s)", goOn(p), options), printed}}, err
	}
	return goCall{code: []string{
		fmt.Sprintf("events, err := %s.Watch(ctx, %s)", goOn(p), options), "if err != nil {", "\tpanic(err)", "}",
		"for event := range events.ResultChan() {", "\tfmt.Println(event.Type, event.Object)", "}",
	}}, err
}

// goBody are the lines that read the body into an object.
func (r Request) goBody() []string {
	return []string{"object := &unstructured.Unstructured{}", "if err := yaml.Unmarshal([]byte(" + literal(string(r.Body)) + "), &object.Object); err != nil {", "\tpanic(err)", "}"}
}

func (r Request) goWrite(p apipath.Path, verb string) (goCall, error) {
	media, _, _ := strings.Cut(r.Field("Content-Type"), ";")
	if media != "" && media != "application/json" && media != "application/yaml" || len(r.Body) == 0 {
		return goCall{}, unsaid(media)
	}
	method := map[string]string{"create": "Create", "update": "Update"}[verb]
	if p.Kind == apipath.KindSubresource && verb == "create" {
		return goCall{}, unsaid(p.Subresource) // the dynamic client needs the name in the body, which may have none
	}
	options, err := r.goOptions(method+"Options", "dryRun fieldManager fieldValidation")
	return goCall{
		imports: []string{`"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"`, `"sigs.k8s.io/yaml"`},
		code:    append(r.goBody(), fmt.Sprintf("answer, err := %s.%s(ctx, object, %s%s", goOn(p), method, options, behind(p)), printed),
	}, err
}

func (r Request) goPatch(p apipath.Path) (goCall, error) {
	media, _, _ := strings.Cut(r.Field("Content-Type"), ";")
	name := map[string]string{
		"application/json-patch+json": "JSONPatchType", "application/merge-patch+json": "MergePatchType",
		"application/strategic-merge-patch+json": "StrategicMergePatchType", "application/apply-patch+yaml": "ApplyYAMLPatchType",
	}[media]
	if name == "" {
		return goCall{}, unsaid(media)
	}
	options, err := r.goOptions("PatchOptions", "dryRun fieldManager fieldValidation force")
	return goCall{
		imports: []string{`"k8s.io/apimachinery/pkg/types"`},
		code: []string{
			"body := []byte(" + literal(string(r.Body)) + ")",
			fmt.Sprintf("answer, err := %s.Patch(ctx, %q, types.%s, body, %s%s", goOn(p), p.Name, name, options, behind(p)), printed,
		},
	}, err
}

func (r Request) goDelete(p apipath.Path, verb string) (goCall, error) {
	if len(r.Body) > 0 || p.Kind == apipath.KindSubresource {
		return goCall{}, unsaid("the body")
	}
	selectors := Request{Query: map[string][]string{}}
	var fields []string
	for _, name := range sorted(r.Query) {
		value := r.Query.Get(name)
		switch name {
		case "labelSelector", "fieldSelector":
			selectors.Query[name] = r.Query[name]
			continue
		case "dryRun":
			value = "DryRun: []string{" + strconv.Quote(value) + "}"
		case "propagationPolicy":
			value = fmt.Sprintf("PropagationPolicy: ptr.To(metav1.DeletionPropagation(%q))", value)
		case "gracePeriodSeconds":
			seconds, err := goValue("*int", value)
			if err != nil {
				return goCall{}, err
			}
			value = "GracePeriodSeconds: " + seconds
		default:
			return goCall{}, unsaid(name)
		}
		fields = append(fields, value)
	}
	options := "metav1.DeleteOptions{" + strings.Join(fields, ", ") + "}"
	if verb == "delete" {
		return goCall{code: []string{fmt.Sprintf("err = %s.Delete(ctx, %q, %s)", goOn(p), p.Name, options), `fmt.Println(err)`}}, nil
	}
	which, err := selectors.goOptions("ListOptions", "labelSelector fieldSelector")
	return goCall{code: []string{fmt.Sprintf("err = %s.DeleteCollection(ctx, %s, %s)", goOn(p), options, which), `fmt.Println(err)`}}, err
}
