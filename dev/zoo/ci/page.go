// Package ci runs the examples of docs/ci.md: what a reader copies is what is tried.
package ci

import (
	"errors"
	"fmt"
	"strings"

	"sigs.k8s.io/yaml"
)

// Page is the examples of docs/ci.md by the second word after the fence: ```yaml github.
type Page map[string]string

// ParsePage finds the named blocks of a page of Markdown.
func ParsePage(text string) (Page, error) {
	page, name, inside := Page{}, "", false
	for line := range strings.Lines(text) {
		words, fence := strings.CutPrefix(strings.TrimSpace(line), "```")
		switch {
		case fence && !inside:
			inside = true
			if _, name, _ = strings.Cut(words, " "); name != "" && page[name] != "" {
				return nil, fmt.Errorf("two examples are called %q", name)
			}
		case fence:
			inside = false
		case inside && name != "":
			page[name] += line
		}
	}
	if inside {
		return nil, errors.New("an example has no end")
	}
	return page, nil
}

// Workflow is what we read of a workflow of GitHub.
type Workflow struct {
	Jobs map[string]struct {
		Defaults struct {
			Run struct {
				Shell string `json:"shell"`
			} `json:"run"`
		} `json:"defaults"`
		Steps []Step `json:"steps"`
	} `json:"jobs"`
}

// Step is one step of a job: it runs a script, or uses an action.
type Step struct {
	Name string            `json:"name"`
	Uses string            `json:"uses"`
	If   string            `json:"if"`
	Env  map[string]string `json:"env"`
	Run  string            `json:"run"`
}

// Job is what we read of a job of GitLab.
type Job struct {
	Before    []string `json:"before_script"`
	Script    []string `json:"script"`
	Artifacts struct {
		When  string   `json:"when"`
		Paths []string `json:"paths"`
	} `json:"artifacts"`
}

// Hooks is what we read of a configuration of pre-commit.
type Hooks struct {
	Repos []struct {
		Hooks []struct {
			ID       string `json:"id"`
			Language string `json:"language"`
			Entry    string `json:"entry"`
			Files    string `json:"files"`
		} `json:"hooks"`
	} `json:"repos"`
}

// Read reads an example as YAML.
func (p Page) Read(name string, into any) error {
	if p[name] == "" {
		return fmt.Errorf("the page has no example %q", name)
	}
	if err := yaml.Unmarshal([]byte(p[name]), into); err != nil {
		return fmt.Errorf("the example %q: %w", name, err)
	}
	return nil
}
