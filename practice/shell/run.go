package shell

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"mvdan.cc/sh/v3/interp"
	"mvdan.cc/sh/v3/syntax"
)

// longestScript is how long a statement, or a script that is an argument, can be. It also bounds how deep either can be nested.
const longestScript = 64 << 10

var errTooLong = errors.New("the command is too long")

// parse reads a whole script.
func parse(script string) (*syntax.File, error) {
	if len(script) > longestScript {
		return nil, errTooLong
	}
	file, err := parser().Parse(strings.NewReader(script), "")
	if err != nil {
		return nil, fmt.Errorf("syntax error: %w", err)
	}
	tame(file)
	return file, nil
}

func parser() *syntax.Parser { return syntax.NewParser(syntax.Variant(syntax.LangPOSIX)) }

// runStatement runs a statement with the client's input, and returns its exit code, and whether the shell is to end.
func (s *job) runStatement(ctx context.Context, runner *interp.Runner, node syntax.Node) (code int, exits bool) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	s.stop.Store(&stop)
	defer s.stop.Store(nil)
	in, done, err := s.in.pump(func() { stop(errInterrupt) })
	if err != nil {
		_, _ = fmt.Fprintf(s.err, "sh: %v\n", err)
		return notRunnable, true
	}
	defer done()
	if err := interp.StdIO(in, s.out, s.err)(runner); err != nil {
		_, _ = fmt.Fprintf(s.err, "sh: %v\n", err)
		return notRunnable, true
	}
	err = runner.Run(ctx, node)
	var status interp.ExitStatus
	return s.exitCode(ctx, err), runner.Exited() && (err == nil || errors.As(err, &status))
}

// runInput reads statements from the client and runs them, until the input ends or one of them exits. It returns the last exit code.
func (s *job) runInput(ctx context.Context, runner *interp.Runner) int {
	code := 0
	for {
		s.prompt(runner)
		err := s.statements(ctx, runner, &code)
		switch {
		case ctx.Err() != nil:
			return killed
		case err == nil || errors.Is(err, io.EOF):
			return code
		case errors.Is(err, errInterrupt):
			code = interrupted
			continue
		}
		_, _ = fmt.Fprintf(s.err, "sh: %v\n", err)
		if code = misuse; !s.tty {
			return code
		}
	}
}

// statements runs statement after statement. It returns nil when the shell exits, and errors of the input and its syntax.
func (s *job) statements(ctx context.Context, runner *interp.Runner, code *int) error {
	in := &lines{ctx: ctx, in: s.in}
	p := parser()
	for statements, err := range p.InteractiveSeq(in) {
		if err != nil {
			return err
		}
		if p.Incomplete() {
			s.say("> ")
			continue
		}
		in.size = 0
		for _, statement := range statements {
			tame(statement)
			var exits bool
			if *code, exits = s.runStatement(ctx, runner, statement); exits || ctx.Err() != nil {
				return nil
			}
			if *code == interrupted { // the interpreter doesn't know why the statement ended, and $? must
				_, _ = s.runStatement(ctx, runner, call([]string{hidden + "interrupted"}))
				break
			}
		}
		s.prompt(runner)
	}
	s.say("\n") // the input ended where a prompt is
	return io.EOF
}

// prompt shows where the shell is, to people.
func (s *job) prompt(runner *interp.Runner) { s.say(runner.Dir + " # ") }

// say writes to people only.
func (s *job) say(text string) {
	if s.tty {
		_, _ = io.WriteString(s.out, text)
	}
}
