package main

import "regexp"

// row is one thing that must work with every version, and the tests that prove it.
type row struct {
	name string
	// what says more, for the reader of the table.
	what  string
	tests []selection
}

// selection are tests of one package.
type selection struct {
	pkg   string
	names *regexp.Regexp
}

func of(pkg, names string) selection { return selection{pkg, regexp.MustCompile(names)} }

// teamModule has the tests of signing in. It is a module of its own.
const teamModule = "dev/team"

// rows are what is tested with each version.
var rows = []row{
	{
		"kubectl", "One test with more than 350 commands: kubectl through Fieldmark has the same output, errors and exit codes as without Fieldmark: get, apply, patch, delete, logs, exec, cp, port-forward, watch and more.",
		[]selection{of("promises", `^Test(Parity|DifferencesAreSeen)$`)},
	},
	{
		"Upgrades", "Connections that become WebSockets or SPDY streams, watches over WebSocket, and OpenAPI documents with a hash in their address.",
		[]selection{of("promises", `^(TestAnOldHash|TestAWatchOverWebSocket|TestStopCuts)`), of("server/proxy", `Upgrade`)},
	},
	{
		"Continuity", "No page misses a change: restarts of the API server, cut connections, compaction, withdrawn permissions, changes of a type.",
		[]selection{of("server/relay", `^TestPractice`)},
	},
	{
		"A page for every type", "The collection of each type, and all views of one of its objects, work without scripts.",
		[]selection{of("server/pages", `^(TestEveryListableTypeHasItsPage|TestAnObjectOfEachTypeHasItsPages)$`)},
	},
	{
		"All pages", "All tests of the pages that the server writes.",
		[]selection{of("server/pages", `.`)},
	},
	{
		"Owners of fields", "The owners of each field of each object are those that structured-merge-diff finds in managedFields.",
		[]selection{of("server/pages", `^TestEveryFieldIsOwnedAsManagedFieldsSay$`)},
	},
	{
		"Apply preview", "A preview shows what is then stored, names each conflict, and changes nothing. Each way out of a conflict works.",
		[]selection{of("server/pages", `^(TestPreview|TestAThousandPreviews|TestEveryWayOutOfAConflict|TestOneOfThreeFails|TestAssistants)`)},
	},
	{
		"Deletion and acts", "The page names what is deleted too. Scale, restart, roll back and drain do what their plans say.",
		[]selection{of("server/pages", `^(TestDelete|TestActs)`)},
	},
	{
		"Discovery", "Types, built-in groups, counts and features are found by requests, never by the version.",
		[]selection{of("server/cluster", `^TestPractice`)},
	},
	{
		"Fights in a whole cluster", "A scan finds managers that overwrite each other.",
		[]selection{of("server/contention", `^TestPractice`)},
	},
	{
		"blame, check and explain", "The commands for the terminal and for CI.",
		[]selection{of("promises", `^Test(Blame|Check|Explain|Refusals|NamesAre|WhatFails|Input|Documents|AHundredMegabytes|Bash|OtherShells|EachKind|FiveHundred|WithoutTheRight|Interrupted|EachRequest|AHandOver|WaysOut|RandomWrites|Managers|Migrate|UpgradeCheck|WhoCan|AnApplyKnows|VerbsAsk|VerbsCheck|VerbsTell|Action)`)},
	},
	{
		"Tools for assistants", "Only reads and dry runs leave, and what a force would take is what a forced apply then takes.",
		[]selection{of("promises", `^Test(ConfigurationsThat|ConfigurationsHave|AForce|RandomForces|Assistants|CallsAre|HistoryIs|AFight|TheWire|UnknownProtocol|OnlyReads|TheClusterGoes|APlugin|TwoAssistants|TheLogOf|AFlood|OtherSites)`)},
	},
	{
		"Editors", "The language server, by a client of our own, by Neovim and by the extension for VS Code: findings, hovers, ways out, and nothing without consent.",
		[]selection{of("promises", `^Test(Editor|AHostileFolder|Neovim|HostileTextInAnEditor|SecretsStayOutOfAnEditor|APluginThatPrintsDoesNotReachTheEditor|TheExtension)`)},
	},
	{
		"The hook and policies", "The hook names what kubectl then takes. Each policy catches the writes that it must, and no others.",
		[]selection{of("promises", `^Test(Hook|Polic)`)},
	},
	{
		"Signing in", "The shared mode, with an AuthenticationConfiguration: people sign in at an OpenID Connect issuer, and the API server knows them.",
		[]selection{of(teamModule, `.`)},
	},
}

// packages are those of the rows that are in Fieldmark's own module.
func packages() []string {
	var all []string
	seen := map[string]bool{teamModule: true}
	for _, r := range rows {
		for _, s := range r.tests {
			if !seen[s.pkg] {
				seen[s.pkg] = true
				all = append(all, "./"+s.pkg)
			}
		}
	}
	return all
}
