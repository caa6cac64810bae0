// Package program is Fieldmark as a program: its command line, and how the parts of server are put together in the local and in the shared mode.
package program

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log" //nolint:depguard // only to switch it off
	"os"
	"os/signal"
	"syscall"

	"github.com/fieldmark/fieldmark/cli"
	"github.com/fieldmark/fieldmark/cli/mcp/tools"
	"github.com/fieldmark/fieldmark/server/cluster"
	"github.com/fieldmark/fieldmark/server/redact"
)

// redaction takes credentials out of what assistants see, as it does for the wire log.
func redaction() tools.Redact {
	return tools.Redact{Body: redact.Body, Names: redact.Names, Text: redact.Text, Mark: redact.Mark}
}

// Main runs Fieldmark with the arguments of the process, and ends the process. version is what --version prints.
func Main(version string) {
	if len(os.Args) > 1 && os.Args[1] == cluster.PluginCommand {
		os.Exit(cluster.PluginMain(os.Args[2:]))
	}
	if os.Getenv("GOGC") == "" {
		keepHeadroom()
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	args, serves := forServer(os.Args)
	if !serves {
		x := exporter{version: version, stderr: os.Stderr}
		os.Exit(cli.Run(ctx, cli.Program{Called: os.Args[0], Version: version, Export: x.export, In: os.Stdin, Out: os.Stdout, ErrOut: os.Stderr, Redact: redaction()}, args))
	}
	go tidy(ctx)
	os.Exit(runProgram(ctx, version, args, os.Getenv, os.Stdout, os.Stderr))
}

// forServer are the arguments in a command line, and whether they are for the server: with the verb serve, and without any verb. As a plugin of kubectl, the
// program serves only with the verb.
func forServer(line []string) (args []string, serves bool) {
	args = cli.Args(line)
	if len(args) > 0 && args[0] == cli.Serve {
		return args[1:], true
	}
	return args, !cli.IsVerb(args) && !cli.IsPlugin(line[0])
}

// runProgram is the program with its surroundings as arguments. Its result is the exit code: 0 after a
// graceful stop, 1 when it cannot do its work, 2 when it was called wrongly.
func runProgram(ctx context.Context, version string, args []string, env func(string) string, stdout, stderr io.Writer) int {
	log.SetOutput(io.Discard) // net/http would log unexpected bytes from an API server: kilobytes, perhaps of a Secret
	config, err := parseFlags(args, env, stderr)
	switch {
	case errors.Is(err, errHelp):
		return 0
	case err != nil:
		_, _ = fmt.Fprintln(stderr, "fieldmark:", err)
		return 2
	case config.Version:
		_, _ = fmt.Fprintln(stdout, "fieldmark", version)
		return 0
	}
	config.release = version
	mode := serve
	if config.Shared.On {
		mode = serveShared
	}
	if err := mode(ctx, config, stdout, stderr); err != nil {
		_, _ = fmt.Fprintln(stderr, "fieldmark:", err)
		return 1
	}
	return 0
}
