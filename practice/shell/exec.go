package shell

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/interp"
)

// process is a program that runs.
type process struct {
	*job
	name     string
	args     []string
	dir      string
	env      expand.Environ
	in       io.Reader
	out, err io.Writer
}

// programs returns what runs for each name of a program.
func programs() map[string]func(ctx context.Context, p *process) int {
	return map[string]func(ctx context.Context, p *process) int{
		"cat": cat, "chmod": chmod, "cp": copyFile, "curl": curl, "date": date, "env": env, "grep": grep, "head": head, "hostname": hostname, "id": id,
		"kill": kill, "ls": ls, "mkdir": mkdir, "mv": move, "printenv": env, "ps": ps, "rm": remove, "rmdir": remove, "seq": seq,
		"sleep": sleep, "stty": stty, "tail": tail, "tar": archive, "touch": touch, "uname": uname, "wc": wc, "wget": wget, "whoami": whoami,
		"ln": link, "type": which, "which": which, "yes": yes,
	}
}

// both are programs that a shell also has as its own commands.
var both = []string{"echo", "false", "printf", "pwd", "test", "[", "true"}

// Programs returns the paths of the programs that an image with a shell has.
func Programs() []string {
	names := append([]string{"sh"}, both...)
	for name := range programs() {
		names = append(names, name)
	}
	slices.Sort(names)
	for i := range names {
		names[i] = "/bin/" + names[i]
	}
	return names
}

// exec runs what isn't a function and not the interpreter's own command.
func (s *job) exec(ctx context.Context, args []string) error {
	hc := interp.HandlerCtx(ctx)
	name, isHidden := strings.CutPrefix(args[0], hidden)
	switch {
	case isHidden && name == "error":
		_, _ = fmt.Fprintf(hc.Stderr, "sh: %s\n", strings.Join(args[1:], " "))
		return interp.ExitStatus(misuse) //nolint:wrapcheck // the interpreter looks for this type
	case isHidden && name == "interrupted":
		return interp.ExitStatus(interrupted) //nolint:wrapcheck // the interpreter looks for this type
	}
	file, err := s.c.lookup(name, hc.Dir, hc.Env.Get("PATH").String())
	if err != nil {
		_, _ = fmt.Fprintf(hc.Stderr, "sh: %s: not found\n", name)
		return interp.ExitStatus(notFound) //nolint:wrapcheck // the interpreter looks for this type
	}
	p := &process{job: s, name: path.Base(file), args: args[1:], dir: hc.Dir, env: hc.Env, out: hc.Stdout, err: hc.Stderr, in: strings.NewReader("")}
	if in, ok := hc.Stdin.(*os.File); ok && in != nil {
		p.in = in
		// What blocks a program in reading must not outlive it.
		defer context.AfterFunc(ctx, func() { _ = in.SetReadDeadline(time.Now()) })()
	}
	code := p.survive(func() int { return s.start(ctx, p, file) })
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case code != 0:
		return interp.ExitStatus(uint8(code)) //nolint:wrapcheck // the interpreter looks for this type
	}
	return nil
}

// survive runs a program. If a defect of ours makes it panic, only this program ends.
func (p *process) survive(run func() int) (code int) {
	defer func() {
		if r := recover(); r != nil {
			code = p.fail(crashed, "crashed: %v", r)
		}
	}()
	return run()
}

// start runs a program of ours, a shell, or a script.
func (s *job) start(ctx context.Context, p *process, file string) int {
	if run := programs()[p.name]; run != nil {
		return run(ctx, p)
	}
	switch {
	case isShell(p.name):
		return p.shell(ctx)
	case slices.Contains(both, p.name):
		return p.script(ctx, p.name+` "$@"`, p.args)
	}
	data, err := s.c.Files.Read(file)
	if err != nil || strings.ContainsRune(string(data), 0) {
		return p.fail(notRunnable, "can't execute: Exec format error")
	}
	return p.script(ctx, string(data), p.args)
}

// shell is a shell that is started in another one, or with arguments.
func (p *process) shell(ctx context.Context) int {
	args := p.args
	for len(args) > 0 && (args[0] == "-i" || args[0] == "-l" || args[0] == "-e" || args[0] == "-x") {
		args = args[1:]
	}
	switch {
	case len(args) == 0:
		data, err := io.ReadAll(io.LimitReader(p.in, longestScript+1))
		if err != nil {
			return p.fail(1, "%v", err)
		}
		return p.script(ctx, string(data), nil)
	case args[0] == "-c" || args[0] == "-lc" || args[0] == "-ec":
		if len(args) < 2 {
			return p.fail(misuse, "-c requires an argument")
		}
		return p.script(ctx, args[1], args[min(len(args), 3):])
	}
	data, err := p.c.Files.Read(absolute(p.dir, args[0]))
	if err != nil {
		return p.fail(misuse, "can't open '%s': %s", args[0], reason(err))
	}
	return p.script(ctx, string(data), args[1:])
}

// script runs a script with its own variables.
func (p *process) script(ctx context.Context, script string, params []string) int {
	file, err := parse(script)
	if err != nil {
		return p.fail(misuse, "%v", err)
	}
	runner, err := p.runner(p.dir, environ(exported(p.env)))
	if err != nil {
		return p.fail(notRunnable, "%v", err)
	}
	runner.Params = params
	if err := interp.StdIO(p.in, p.out, p.err)(runner); err != nil {
		return p.fail(notRunnable, "%v", err)
	}
	err = runner.Run(ctx, file)
	var status interp.ExitStatus
	switch {
	case err == nil:
		return 0
	case errors.As(err, &status):
		return int(status)
	case ctx.Err() != nil:
		return killed
	}
	return p.fail(misuse, "%v", err)
}

// fail says what went wrong, and returns the exit code.
func (p *process) fail(code int, format string, args ...any) int {
	_, _ = fmt.Fprintf(p.err, "%s: %s\n", p.name, fmt.Sprintf(format, args...)) // nobody may be reading
	return code
}

// exported returns the variables that programs get.
func exported(env expand.Environ) []string {
	var pairs []string
	for name, v := range env.Each {
		if v.Exported && v.Kind == expand.String {
			pairs = append(pairs, name+"="+v.Str)
		}
	}
	slices.Sort(pairs)
	return slices.Compact(pairs)
}
