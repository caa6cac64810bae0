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
}

// Error is what is wrong.
func (p *Problem) Error() string { return p.Text }

// ConfigError is a kubeconfig that can not be loaded at all. Its text is one line and says what to do.
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
	Starting      Phase = "starting"      // it will be there in a moment
	Unreachable   Phase = "unreachable"   // no answer
	Untrusted     Phase = "untrusted"     // it answers, and can not prove who it is
	Unauthorized  Phase = "unauthorized"  // it does not accept our credentials, or there are none to show
	Misconfigured Phase = "misconfigured" // the kubeconfig or a file it names is at fault
	Failed        Phase = "failed"        // anything else
)

// phaseOf is the phase that a missing answer means.
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
