package markdown

import "testing"

func TestCommandsForOnesOwnClusterOnlyRead(t *testing.T) {
	for run, ok := range map[string]bool{
		"kubectl get pods -A": true,
		"kubectl get --raw '/api/v1/pods?limit=1&watch=1' | head -c 80":                                           true,
		"kubectl get pods x 2>&1 | grep NotFound":                                                                 true,
		"kubectl get pods -o jsonpath='{.items[*].metadata.name}{\"\\n\"}' | sort | uniq -c":                      true,
		"kubectl create configmap a --dry-run=server":                                                             true,
		"kubectl create configmap a --dry-run=client -o yaml | kubectl apply --server-side --dry-run=server -f -": true,
		"kubectl create configmap a --dry-run=client -o yaml | kubectl apply --server-side -f -":                  false,
		"kubectl delete pod a":                               false,
		"kubectl":                                            false,
		"kubectl get pods; kubectl delete pods":              false,
		"kubectl get pods && rm x":                           false,
		"kubectl get pods > x":                               false,
		"kubectl get pods $(rm x)":                           false,
		"kubectl get pods \"$(rm x)\"":                       false,
		"kubectl get pods `rm x`":                            false,
		"kubectl get pods | xargs kubectl delete":            false,
		"kubectl get pods | sh":                              false,
		"kubectl get pods |":                                 false,
		"kubectl get pods 'a":                                false,
		"grep a /etc/passwd":                                 false,
		"curl https://example.com":                           false,
		"":                                                   false,
		"kubectl get pods\nrm x":                             false,
		"kubectl apply -f x --dry-run=none":                  false,
		"kubectl apply -f x --dry-run=server --dry-run=none": false,
		"kubectl exec x -- rm --dry-run=server":              false,
		"kubectl auth reconcile -f x":                        false,
		"kubectl auth":                                       false,
		"kubectl auth can-i --list":                          true,
		"kubectl get pods | sort -o x":                       false,
		"kubectl get pods | uniq - x":                        false,
		"kubectl patch cm x -p {} --dry-run=server":          true,
	} {
		if err := onlyReads(run); (err == nil) != ok {
			t.Errorf("%q: %v", run, err)
		}
	}
}
