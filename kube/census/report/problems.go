package report

import "slices"

// About is what a reader must know about a kind of finding.
type About struct {
	Problem Problem
	Fails   bool   // it fails the command, unless the user chooses other kinds
	Title   string // in a few words
	Means   string // in a sentence or two
}

// problems are all kinds of findings, the worst first.
var problems = []About{
	{
		Unappliable, true, "No apply may succeed",
		"An entry of managedFields has an API version that the server doesn't serve. If the CustomResourceDefinition no longer lists the version, the server refuses each apply to the object.",
	},
	{TwoGitOps, true, "Two GitOps tools manage one object", "Two GitOps tools have entries of the same object. Each applies what its own source says."},
	{Person, false, "A person's tool owns fields of GitOps", "Somebody changed an object by hand, and a GitOps tool applies the same object. The fields stay with the person's tool, or change back."},
	{Crowded, false, "Objects near the limit of Update entries", "The server keeps at most 10 Update entries of an object, and merges older ones. Then nobody can tell who wrote these fields."},
	{Unstated, false, "Terraform owns fields that it may not have stated", "Terraform wrote by Update. Such an entry also has defaults that the server added to the request."},
	{Silent, false, "A manager fell silent", "The manager's last recorded write is older than 30 days, and others still write the same types."},
	{Heavy, false, "Most of the metadata is managedFields", "More than half of the metadata of a type is managedFields. Each list and watch of whole objects sends them."},
}

// Problems are all kinds of findings, the worst first.
func Problems() []Problem { return problemsThat(func(About) bool { return true }) }

// FailOn are the kinds of findings that fail the command by default.
func FailOn() []Problem { return problemsThat(func(a About) bool { return a.Fails }) }

func problemsThat(which func(About) bool) []Problem {
	var all []Problem
	for _, a := range problems {
		if which(a) {
			all = append(all, a.Problem)
		}
	}
	return all
}

// Rank is the place of a problem among all, the worst first; -1 if there is no such problem.
func (p Problem) Rank() int {
	return slices.IndexFunc(problems, func(a About) bool { return a.Problem == p })
}

// About is what a reader must know about the problem.
func (p Problem) About() About {
	if at := p.Rank(); at >= 0 {
		return problems[at]
	}
	return About{Problem: p}
}

// Fails tells whether one of the findings is of these kinds.
func (r Report) Fails(on []Problem) bool {
	return slices.ContainsFunc(r.Findings, func(f Finding) bool { return slices.Contains(on, f.Problem) })
}
