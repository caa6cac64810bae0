package main

import (
	"fmt"
	"os"
	"path/filepath"

	"go.yaml.in/yaml/v3"

	"github.com/fieldmark/fieldmark/lessons/check"
)

// commands prepares a folder for kubectl commands: the program with the name kubectl, and a kubeconfig whose current context is the
// cluster for the lessons. kubectl also keeps its cache there.
func (c config) commands(own, context string) (*check.Kubectl, error) {
	if c.kubectl == "" {
		return nil, nil // kubectl is optional
	}
	program, err := filepath.Abs(c.kubectl)
	if err != nil {
		return nil, fmt.Errorf("finding kubectl: %w", err)
	}
	if _, err := os.Stat(program); err != nil {
		return nil, fmt.Errorf("there is no kubectl: %w", err)
	}
	bin, config := filepath.Join(own, "bin"), filepath.Join(own, "config")
	if err := os.Mkdir(bin, 0o700); err != nil {
		return nil, fmt.Errorf("preparing a folder for kubectl: %w", err)
	}
	if err := os.Symlink(program, filepath.Join(bin, "kubectl")); err != nil {
		return nil, fmt.Errorf("preparing a folder for kubectl: %w", err)
	}
	from := c.through
	if from == "" {
		from = check.Fieldmark{Own: own}.Written()
	}
	if err := current(from, config, context); err != nil {
		return nil, err
	}
	return &check.Kubectl{Dir: own, Env: []string{"PATH=" + bin + string(os.PathListSeparator) + os.Getenv("PATH"), "HOME=" + own, "KUBECONFIG=" + config}}, nil
}

// current copies a kubeconfig and changes its current context.
func current(from, to, name string) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return fmt.Errorf("the kubeconfig can't be read: %w", err)
	}
	config := map[string]any{}
	if err := yaml.Unmarshal(text, &config); err != nil {
		return fmt.Errorf("%s isn't a kubeconfig: %w", from, err)
	}
	config["current-context"] = name
	if text, err = yaml.Marshal(config); err != nil {
		return fmt.Errorf("copying the kubeconfig: %w", err)
	}
	if err := os.WriteFile(to, text, 0o600); err != nil {
		return fmt.Errorf("copying the kubeconfig: %w", err)
	}
	return nil
}
