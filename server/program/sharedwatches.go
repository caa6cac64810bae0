package program

import (
	"slices"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/server/relay"
	"github.com/fieldmark/fieldmark/server/settings"
)

// sharing says for which API groups of a cluster people share watches; nil: for none. An aggregated API server may have other objects for
// each person, so a group must be one of Kubernetes itself, or be named as one of custom resources (threat: two sessions).
func sharing(s *settings.Settings) func(slug, group string) bool {
	if !s.ShareWatches {
		return nil
	}
	return func(slug, group string) bool {
		return !s.Clusters[slug].OwnWatches && (discovery.BuiltIn(group) || slices.Contains(s.ShareGroups, group))
	}
}

// countSharing adds how watches are shared.
func (a *app) countSharing(m *metrics) {
	now := func(name, help string, value func(relay.Sharing) int) {
		m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, func() float64 { return float64(value(a.relay.Sharing())) }))
	}
	total := func(name, help string, labels prometheus.Labels, value func(relay.Sharing) uint64) {
		m.registry.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{Name: name, Help: help, ConstLabels: labels}, func() float64 {
			return float64(value(a.relay.Sharing()))
		}))
	}
	now("fieldmark_shared_watches", "Watches that people can share.", func(s relay.Sharing) int { return s.Watches })
	now("fieldmark_shared_watch_followers", "Subscriptions that use the watch of somebody else.", func(s relay.Sharing) int { return s.Followers })
	total("fieldmark_shared_watch_takeovers_total", "Shared watches with which somebody else went on.", nil, func(s relay.Sharing) uint64 { return s.Takeovers })
	const checks, help = "fieldmark_shared_watch_checks_total", "Checks whether somebody may use a shared watch, by result."
	for result, value := range map[string]func(relay.Sharing) uint64{
		"granted":    func(s relay.Sharing) uint64 { return s.Granted },
		"refused":    func(s relay.Sharing) uint64 { return s.Refused },
		"unanswered": func(s relay.Sharing) uint64 { return s.Unanswered },
	} {
		total(checks, help, prometheus.Labels{"result": result}, value)
	}
}
