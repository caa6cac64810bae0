// Package kubectl lets kubectl and other Kubernetes clients connect. They send a token over encrypted connections only, and silently
// leave it out on others. So the one address that Fieldmark listens on speaks TLS, too, if a client begins with TLS. Its certificate is
// made at the start, and only the kubeconfig that is written here trusts it.
package kubectl
