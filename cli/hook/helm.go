package hook

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/fieldmark/fieldmark/cli/ask"
	"github.com/fieldmark/fieldmark/cli/hook/line"
	"github.com/fieldmark/fieldmark/cli/hook/loss"
	"github.com/fieldmark/fieldmark/kube/plain"
)

// helmVerbs are the verbs of Helm that change a release, and their flags as its help has them. A mark means: ! a switch, ? a value that may be left out.
var helmVerbs = map[string]string{
	"upgrade": "atomic! ca-file cert-file cleanup-on-fail! create-namespace! dependency-update! description devel! disable-openapi-validation! dry-run? enable-dns! " +
		"force! force-conflicts! force-replace! hide-notes! hide-secret! history-max insecure-skip-tls-verify! install,i! key-file keyring labels,l no-hooks! output,o pass-credentials! " +
		"password plain-http! render-subchart-notes! repo reset-then-reuse-values! reset-values! reuse-values! rollback-on-failure! server-side set set-file set-json " +
		"set-literal set-string skip-crds! skip-schema-validation! take-ownership! timeout username values,f verify! version wait? wait-for-jobs!",
	"rollback":  "cleanup-on-fail! dry-run? force! force-conflicts! force-replace! history-max no-hooks! recreate-pods! server-side timeout wait? wait-for-jobs!",
	"uninstall": "cascade description dry-run? ignore-not-found! keep-history! no-hooks! timeout wait?",
}

const helmGlobal = "debug! kube-context namespace,n burst-limit qps registry-config repository-cache repository-config"

// release is what a command of Helm does with a release.
type release struct {
	verb, name         string
	revision           int // that a rollback goes to; 0: the one before
	context, namespace string
}

// readRelease reads a command of Helm. It is false if nobody can tell which release the command changes, or in which cluster.
func readRelease(c line.Call) (r release, ok bool) {
	var args []string
	for _, w := range c.Words[1:] {
		if !w.Known || !w.One {
			return r, false
		}
		args = append(args, w.Text)
	}
	at := slices.IndexFunc(args, func(a string) bool { return !strings.HasPrefix(a, "-") })
	if at != 0 { // flags before the verb are rare
		return r, false
	}
	switch r.verb = args[0]; r.verb {
	case "un", "del", "delete":
		r.verb = "uninstall"
	}
	specs, known := helmVerbs[r.verb]
	f := pflag.NewFlagSet(r.verb, pflag.ContinueOnError)
	f.SetOutput(io.Discard)
	define(f, specs+" "+helmGlobal)
	if !known || f.Parse(args[1:]) != nil || f.NArg() == 0 || f.Changed("dry-run") {
		return r, false
	}
	r.name, r.context, r.namespace = f.Arg(0), f.Lookup("kube-context").Value.String(), f.Lookup("namespace").Value.String()
	if r.verb == "rollback" && f.NArg() > 1 {
		var err error
		if r.revision, err = strconv.Atoi(f.Arg(1)); err != nil {
			return r, false
		}
	}
	return r, r.verb != "uninstall" || f.NArg() == 1
}

// define adds flags to a set.
func define(f *pflag.FlagSet, specs string) {
	for spec := range strings.FieldsSeq(specs) {
		name, short, _ := strings.Cut(strings.TrimRight(spec, "!?"), ",")
		if strings.HasSuffix(spec, "!") {
			f.BoolP(name, short, false, "")
			continue
		}
		f.StringP(name, short, "", "")
		if strings.HasSuffix(spec, "?") {
			f.Lookup(name).NoOptDefVal = "true"
		}
	}
}

// helm judges a command of Helm that may change a release. It is always a doubt, because no chart is rendered. What is known is said: which fields of the
// stored manifest others own now, and what an uninstall deletes.
func (j *judge) helm(ctx context.Context, c line.Call) {
	j.doubt(stranger("helm"))
	defer func() { j.changed, j.wrote = true, true }()
	r, ok := readRelease(c)
	if !ok || j.stored == nil || j.changed || j.wrote || j.elsewhere(c) != "" || helmSteered(os.Environ()) {
		return
	}
	found, err := j.stored(ctx, r)
	switch {
	case err != nil:
		j.doubt("Fieldmark can’t tell which fields of the release " + plain.Text(r.name) + " others own now: " + strings.TrimSuffix(err.Error(), ".") + ".")
	case r.verb == "uninstall":
		j.losses = append(j.losses, found.Losses...)
	case len(found.Losses) == 0:
		j.doubt(fmt.Sprintf("All fields that revision %d of the release %s sets are owned by Helm, or have the same value. A new manifest can set others.", found.Revision, plain.Text(r.name)))
	case r.verb == "rollback":
		j.doubt(fmt.Sprintf("The manifest of revision %d of the release %s comes back. Objects that only newer revisions have are deleted.", found.Revision, plain.Text(r.name)))
		j.possible = append(j.possible, found.Losses...)
	default:
		j.doubt(fmt.Sprintf("Revision %d of the release %s is stored, but the new manifest isn’t known.", found.Revision, plain.Text(r.name)))
		j.possible = append(j.possible, found.Losses...)
	}
}

// helmSteered tells whether variables of the environment lead Helm to another cluster, namespace or store than the kubeconfig does.
func helmSteered(environment []string) bool {
	return slices.ContainsFunc(environment, func(v string) bool {
		return strings.HasPrefix(v, "HELM_KUBE") || strings.HasPrefix(v, "HELM_NAMESPACE=") || strings.HasPrefix(v, "HELM_DRIVER=")
	})
}

// storedIn reads releases in a cluster that the command chooses among those of the kubeconfig.
func storedIn(c *ask.Cluster) func(context.Context, release) (loss.Stored, error) {
	return func(ctx context.Context, r release) (loss.Stored, error) {
		return loss.OfRelease(ctx, c.Aimed(ctx, r.context, "", "", r.namespace), r.name, r.verb, r.revision)
	}
}
