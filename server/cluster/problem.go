package cluster

import (
	"github.com/fieldmark/fieldmark/server/upstream"
)

// Problem is the reason why a context can't be used: an error in the kubeconfig, or in the files that it names. Nothing is sent to its
// server.
type Problem struct {
	// Text says what is wrong, Advice what to do; one sentence each.
	Text, Advice string
	// Hint is the kubeconfig's own installHint for a missing credentials plugin: untrusted, several lines.
	Hint string
	// Pending is true for a cluster that will be there by itself: it is being compiled, or starting.
	Pending bool
	// SignIn is true if the person has to sign in, for the first time or again.
	SignIn bool
}

// Error says what is wrong.
func (p *Problem) Error() string { return p.Text }

// ConfigError is the error if a kubeconfig can't be loaded. Its text is one line and says what to do.
type ConfigError struct {
	// File is the file's path.
	File string
	// Why says what is wrong and names the file; Advice says what to do. Both are sentences without a capital letter and a full stop.
	Why, Advice string
	// Kept is true if the contexts that the file had before are still in use.
	Kept bool
	// Err is the error underneath, if any.
	Err error
}

// Error is the problem and the advice, in one line.
func (e *ConfigError) Error() string { return e.Why + "; " + e.Advice }

// Unwrap gives the error underneath.
func (e *ConfigError) Unwrap() error { return e.Err }

// Phase is the state of a cluster, in one word.
type Phase string

// The phases.
const (
	Ready         Phase = "ready"
	Compiling     Phase = "compiling"     // the cluster will be ready in some minutes
	Starting      Phase = "starting"      // the cluster will be ready in a moment
	Checking      Phase = "checking"      // it has not responded yet; see Glances
	Unreachable   Phase = "unreachable"   // no response
	Untrusted     Phase = "untrusted"     // its certificate is not trusted
	Unauthorized  Phase = "unauthorized"  // it does not accept the credentials, or there are none
	Misconfigured Phase = "misconfigured" // the kubeconfig, or a file that it names, has an error
	Failed        Phase = "failed"        // anything else
)

// Pending tells whether the cluster will be ready without any action.
func (p Phase) Pending() bool { return p == Compiling || p == Starting }

// phaseOf is the phase if there was no response for this cause.
func phaseOf(cause upstream.Cause) Phase {
	switch cause {
	case upstream.Untrusted:
		return Untrusted
	case upstream.Credentials:
		return Unauthorized
	case upstream.Handshake, upstream.Other:
		return Failed
	case upstream.NotTLS:
		return Misconfigured
	}
	return Unreachable
}
