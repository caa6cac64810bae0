// Package kubectl is how kubectl and other Kubernetes clients get in. They send a token over
// encrypted connections only, and silently leave it out on any other; so the one address that
// Fieldmark listens on speaks TLS too, to whoever begins with it, with a certificate made at the start
// that only the kubeconfig written here vouches for.
package kubectl
