package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// named are the files that have a licence, or what a licence asks to be passed on.
var named = regexp.MustCompile(`(?i)^(licen[cs]es?|copying|copyright|notice|patents|unlicense)([._-].*)?$`)

// source is code whose name begins like a licence's.
var source = regexp.MustCompile(`(?i)\.(go|js|mjs|ts|json|ya?ml)$`)

// textsOf reads the licences in these folders, without those below them.
func textsOf(folders []string) ([]string, error) {
	var texts []string
	for _, folder := range folders {
		entries, err := os.ReadDir(folder)
		if err != nil {
			return nil, fmt.Errorf("looking for licences: %w", err)
		}
		for _, entry := range entries {
			if !entry.Type().IsRegular() || !named.MatchString(entry.Name()) || source.MatchString(entry.Name()) {
				continue
			}
			text, err := os.ReadFile(filepath.Join(folder, entry.Name()))
			if err != nil {
				return nil, fmt.Errorf("reading a licence: %w", err)
			}
			texts = append(texts, strings.TrimSpace(strings.ReplaceAll(string(text), "\r\n", "\n")))
		}
	}
	return texts, nil
}
