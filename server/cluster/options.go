package cluster

import (
	"log/slog"
	"os"
	"time"
)

// Options say where the kubeconfig is and how requests are made. The command uses the zero value.
type Options struct {
	// Kubeconfig is the flag's value; empty means $KUBECONFIG, else ~/.kube/config.
	Kubeconfig string
	// Env looks up an environment variable; os.Getenv when nil.
	Env func(string) string
	// Home is the home directory; the user's when empty.
	Home string

	// Executable is our own binary, which runs credentials plugins as `Executable credential-plugin …`;
	// os.Executable() when empty. See PluginMain.
	Executable string
	// PluginTimeout bounds one run of a credentials plugin; 30 s when 0.
	PluginTimeout time.Duration
	// ProbeTimeout bounds the answer of State; 2.5 s when 0.
	ProbeTimeout time.Duration

	// Log gets what happens at debug, and never a credential; discarded when nil.
	Log *slog.Logger
	// Now is the clock; time.Now when nil.
	Now func() time.Time
}

// settings are Options with every default filled in, as clusters share them.
type settings struct {
	executable    string
	pluginTimeout time.Duration
	probeTimeout  time.Duration
	userAgent     string
	log           *slog.Logger
	now           func() time.Time
}

func (o Options) settings() settings {
	s := settings{
		executable: o.Executable, pluginTimeout: o.PluginTimeout, probeTimeout: o.ProbeTimeout,
		log: o.Log, now: o.Now,
	}
	if s.executable == "" {
		s.executable, _ = os.Executable()
	}
	if s.pluginTimeout <= 0 {
		s.pluginTimeout = 30 * time.Second
	}
	if s.probeTimeout <= 0 {
		s.probeTimeout = 2500 * time.Millisecond
	}
	if s.userAgent == "" {
		s.userAgent = "fieldmark"
	}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	if s.now == nil {
		s.now = time.Now
	}
	return s
}

func (o Options) env(name string) string {
	if o.Env != nil {
		return o.Env(name)
	}
	return os.Getenv(name)
}

func (o Options) home() string {
	if o.Home != "" {
		return o.Home
	}
	home, _ := os.UserHomeDir()
	return home
}
