package refusal

import "strings"

// phrases are all phrases that are searched for in a text. If two are at the same place, the first of this list is tried first.
var phrases = allPhrases()

func allPhrases() []phrase {
	all := []phrase{
		{failedApply, readApply},
		{"conflict with \"", readWith},
		{"conflicts with \"", readWith},
		{modified, readModified},
		{forbidden, readForbidden},
		{denied, readWebhook},
		{failed, readCall},
		{invalid, readInvalid},
		{strict, readStrict},
		{untyped, readTyped},
		{"failed to prune fields: failed to convert ", readConverted},
		{"failed to convert ", readConverted},
		{exported, readExported},
		{schema, readSchema},
		{notFound, readNotFound},
		{exists, readExists},
		{foreign, readForeign},
		{noMatch, readNoMatch},
		{noType, readNoType},
		{"Error from server", readFromServer},
		{dryRun, readFlux},
		{" apply failed: ", readFlux},
		{" namespace not specified: ", readFlux},
		{" not found: ", readFlux},
		{" object ", readHelmObject},
		{"cannot patch \"", readHelmPatch},
		{"manifest for \"", readManifest},
		{" failed to run apply: ", readProvider},
		{"namespace=\"", readAround},
		{"Kubernetes API Error: ", readDiagnostic},
		{"the Kubernetes API server reported that ", readPulumi},
		{"resource ", readPulumi},
		{"The resource managed by field manager \"", readApplier},
		{"error when evicting pods/", readEviction},
		{"error when ", readWhen},
		{"error validating \"", readWhen},
		{"resource mapping not found for name: ", readMapping},
		{"GroupVersionKind: \"", readPatchTo},
		{"in dryrun mode for resource ", readServerSideDiff},
		{"Please review the fields above--", readAdvice},
	}
	for _, w := range whole {
		all = append(all, phrase{w.words, readWhole(w.words, w.reason)})
	}
	for _, w := range toolWords {
		all = append(all, phrase{w.words, readTool(w.words, w.tool)})
	}
	return append(all, phrase{`You can override this conflict by setting "force_conflicts" to true in the "field_manager" block.`, readAfter(Terraform, "block.")},
		phrase{"if you choose to ignore these errors, turn validation off with --validate=false", readAfter(Kubectl, "false")},
		phrase{"ensure CRDs are installed first", readAfter(Kubectl, "first")})
}

// short is the beginning of most refusals of kubectl.
const short = "error: "

// toolWords are texts that only one tool prints before a refusal.
var toolWords = []struct {
	words string
	tool  Tool
}{
	{"one or more objects failed to apply, reason:", ArgoCD},
	{"one or more objects failed to apply", ArgoCD},
	{"Failed to compare desired state to live state:", ArgoCD},
	{"ComparisonError:", ArgoCD},
	{"failed to calculate diff: error calculating server side diff: serverSideDiff error: error running server side apply", ArgoCD},
	{"Failed sync attempt to", ArgoCD},
	{"Kustomization reconciliation failed:", Flux},
	{"Helm upgrade failed for release", Flux},
	{"Helm install failed for release", Flux},
	{"There was a field manager conflict when trying to apply the", Terraform},
	{"The API returned the following conflict:", Terraform},
	{"API response status: Failure", Terraform},
	{"Server-Side Apply field conflict detected.", Pulumi},
	{"for troubleshooting help.", Pulumi},
	{"Error: UPGRADE FAILED:", Helm},
	{"UPGRADE FAILED:", Helm},
	{"Error: INSTALLATION FAILED:", Helm},
	{"INSTALLATION FAILED:", Helm},
	{"failed to create resource:", Helm},
	{"unable to build kubernetes objects from release manifest:", Helm},
	{"unable to build kubernetes objects from new release manifest:", Helm},
	{"unable to build kubernetes objects from current release manifest:", Helm},
	{"server-side apply failed for", Helm},
	{"conflict occurred while applying", Helm},
	{"Unable to continue with install:", Helm},
	{"Unable to continue with update:", Helm},
	{kubeRS, KubeRS},
	{"error validating data:", Kubectl},
	{short, Kubectl},
	{"unable to recognize", Kubectl},
	{"Reconciler error", ClientGo},
	{"Failed to watch", ClientGo},
	{"reflector.go:", ClientGo},
	{"leaderelection.go:", ClientGo},
}

// readTool reads words that only one tool prints. The shortest ones are kubectl's, but only at the start of a line.
func readTool(words string, tool Tool) func(t *text, at, from int) (piece, bool) {
	return func(t *text, at, _ int) (piece, bool) {
		if words == short && at > 0 && t.string[at-1] != '\n' {
			return piece{}, false
		}
		return piece{start: at, end: at + len(words), note: &note{tool: tool}}, true
	}
}

// readAfter reads a tool's words after a refusal.
func readAfter(tool Tool, last string) func(t *text, at, from int) (piece, bool) {
	return func(t *text, at, _ int) (piece, bool) {
		return piece{start: at, end: at + strings.Index(t.string[at:], last) + len(last), after: tool}, true
	}
}
