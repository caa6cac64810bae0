// Package choice has the flags of verbs whose values are words of a list: the form of the output, and the findings that fail a verb.
package choice

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/fieldmark/fieldmark/kube/typed"
)

// Output adds --output to a command, for these forms. Without the flag, it is the first of them.
func Output(c *cobra.Command, to *string, forms []string) {
	c.Flags().StringVarP(to, "output", "o", forms[0], either(forms))
	_ = c.RegisterFlagCompletionFunc("output", cobra.FixedCompletions(forms, cobra.ShellCompDirectiveNoFileComp)) // the flag exists
}

// WrongOutput is what is wrong with a value of --output; nil: nothing.
func WrongOutput(value string, forms []string) error {
	if slices.Contains(forms, value) {
		return nil
	}
	return fmt.Errorf("--output must be %s, not %q.%s", either(forms), value, typed.DidYouMean(value, forms))
}

// FailOn adds --fail-on to a command: which kinds of findings fail it. What is what they fail: "the check".
func FailOn[K ~string](c *cobra.Command, to *[]string, what string, usual, all []K) {
	c.Flags().StringSliceVar(to, "fail-on", names(usual), "kinds of findings that fail "+what+" (exit code 1), any of: "+strings.Join(names(all), ", "))
	_ = c.RegisterFlagCompletionFunc("fail-on", cobra.FixedCompletions(names(all), cobra.ShellCompDirectiveNoFileComp)) // the flag exists
}

// Kinds are the kinds that --fail-on names.
func Kinds[K ~string](words []string, all []K) ([]K, error) {
	var kinds []K
	for _, word := range words {
		if !slices.Contains(all, K(word)) {
			return nil, fmt.Errorf("--fail-on must be a list of %s; it has %q.%s", strings.Join(names(all), ", "), word, typed.DidYouMean(word, names(all)))
		}
		kinds = append(kinds, K(word))
	}
	return kinds, nil
}

// either are words to choose from: "text, json or yaml".
func either(words []string) string {
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

func names[K ~string](kinds []K) []string {
	all := make([]string, 0, len(kinds))
	for _, k := range kinds {
		all = append(all, string(k))
	}
	return all
}
