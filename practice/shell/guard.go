package shell

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/interp"
	"mvdan.cc/sh/v3/syntax"
)

const (
	// deepest is how many frames a goroutine's stack may have. A function that calls itself would otherwise end the process.
	deepest = 5_000
	// mostGoroutines is how many the process may have until shells can't start new ones.
	mostGoroutines = 20_000
	// safeDir is the interpreter's place for temporary files. Nothing can be opened below it, on any machine.
	safeDir = "/dev/null"
)

var (
	errDeep = errors.New("nested too deep")
	errMany = errors.New("can't fork: Resource temporarily unavailable")
)

// runner returns an interpreter whose files and programs are those of the container. (threat: escape from a simulated container)
func (s *job) runner(dir string, env expand.Environ) (*interp.Runner, error) {
	runner, err := interp.New(
		interp.Env(env),
		interp.CallHandler(s.guard),
		interp.ExecHandlers(func(interp.ExecHandlerFunc) interp.ExecHandlerFunc { return s.exec }),
		interp.OpenHandler(s.openFile),
		interp.ReadDirHandler2(func(ctx context.Context, name string) ([]fs.DirEntry, error) {
			return s.c.Files.ReadDir(absolute(interp.HandlerCtx(ctx).Dir, name))
		}),
		interp.StatHandler(func(ctx context.Context, name string, follow bool) (fs.FileInfo, error) {
			name = absolute(interp.HandlerCtx(ctx).Dir, name)
			if follow {
				return s.c.Files.Stat(name)
			}
			return s.c.Files.Lstat(name)
		}),
		interp.AccessHandler(s.access),
	)
	if err != nil {
		return nil, fmt.Errorf("making a shell: %w", err)
	}
	runner.Reset()
	runner.Dir = dir // the option for it looks for the folder on this machine
	return runner, nil
}

func (s *job) openFile(ctx context.Context, name string, flag int, perm os.FileMode) (io.ReadWriteCloser, error) {
	file, err := s.c.Files.Open(absolute(interp.HandlerCtx(ctx).Dir, name), flag, perm)
	if err != nil {
		return nil, err
	}
	return file, nil
}

// access tells whether root may use a file: everything but run what no one can run.
func (s *job) access(_ context.Context, name string, mode interp.AccessMode) error {
	info, err := s.c.Files.Stat(name)
	if err == nil && mode&interp.AccessExec != 0 && !info.IsDir() && !executable(info) {
		return fs.ErrPermission
	}
	return err
}

// guard is called with each command before it runs. It bounds how deep and how many they are, and replaces the interpreter's own commands that would
// look at files of the machine, or read a language other than ours.
func (s *job) guard(ctx context.Context, args []string) ([]string, error) {
	var frame [1]uintptr
	switch {
	case runtime.Callers(deepest, frame[:]) > 0:
		return nil, errDeep
	case runtime.NumGoroutine() > mostGoroutines:
		return nil, errMany
	}
	switch args[0] {
	case "eval":
		return checked(args[0], strings.Join(args[1:], " "))
	case "trap":
		return trap(args)
	case ".":
		return s.source(ctx, args)
	case "command":
		return commandArgs(args), nil
	case "export", "readonly", "local":
		return declaration(args)
	}
	if slices.Contains(ours, args[0]) || interp.IsBuiltin(args[0]) && !slices.Contains(builtins, args[0]) {
		args = slices.Clone(args)
		args[0] = hidden + args[0]
	}
	return args, nil
}

// builtins are those of the interpreter's own commands that a POSIX shell has and that touch nothing but the shell.
var builtins = []string{
	":", "true", "false", "exit", "set", "shift", "unset", "echo", "printf", "break", "continue", "pwd", "cd", "wait", "test", "[", "exec", "return",
	"read", "getopts", "eval", "trap",
}

// ours are commands that the interpreter has, and we have instead of them.
var ours = []string{"type", "kill"}

// hidden is put before the names of commands that the interpreter must not run itself.
const hidden = "\x00"

// complaint is the command that says what is wrong with another one.
func complaint(text string) ([]string, error) { return []string{hidden + "error", text}, nil }

// checked replaces a script that the interpreter would read itself: it is read as a POSIX script first, and given as what was understood.
func checked(name, script string) ([]string, error) {
	file, err := parse(script)
	if err != nil {
		return complaint(err.Error())
	}
	var text strings.Builder
	if err := syntax.NewPrinter().Print(&text, file); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return []string{name, text.String()}, nil
}

// declaration is a command that declares variables. The interpreter only knows it as syntax of another language.
func declaration(args []string) ([]string, error) {
	text := args[0]
	for _, arg := range args[1:] {
		name, value, assigned := strings.Cut(arg, "=")
		if !syntax.ValidName(name) {
			return complaint(args[0] + ": " + arg + ": bad variable name")
		}
		text += " " + name
		if assigned {
			quoted, err := syntax.Quote(value, syntax.LangBash)
			if err != nil {
				return complaint(args[0] + ": " + err.Error())
			}
			text += "=" + quoted
		}
	}
	return []string{"eval", text}, nil
}

func trap(args []string) ([]string, error) {
	if len(args) < 3 || args[1] == "-" || args[1] == "--" {
		return args, nil
	}
	safe, err := checked("trap", args[1])
	if err != nil || safe[0] != "trap" {
		return safe, err
	}
	return append(safe, args[2:]...), nil
}

// source is the command "." with a file of the container.
func (s *job) source(ctx context.Context, args []string) ([]string, error) {
	if len(args) < 2 {
		return complaint(".: a file name is missing")
	}
	data, err := s.c.Files.Read(absolute(interp.HandlerCtx(ctx).Dir, args[1]))
	if err != nil {
		return complaint(".: " + err.Error())
	}
	return checked("eval", string(data))
}

// commandArgs is the command "command", which runs another one or tells what it is.
func commandArgs(args []string) []string {
	switch {
	case len(args) < 2:
		return []string{":"}
	case args[1] == "-v" || args[1] == "-V":
		return append([]string{hidden + "which", "-v"}, args[2:]...)
	case interp.IsBuiltin(args[1]) && !slices.Contains(builtins, args[1]):
		return append([]string{hidden + args[1]}, args[2:]...)
	}
	return args[1:]
}

// tame changes what was read so that it has no more meanings than in a POSIX shell: braces are themselves, and the ids of processes are those of
// the container. The interpreter would make words of braces: {1..1000000000}.
func tame(node syntax.Node) {
	syntax.Walk(node, func(node syntax.Node) bool {
		switch n := node.(type) {
		case *syntax.CallExpr:
			plainWords(n.Args)
		case *syntax.WordIter:
			plainWords(n.Items)
		case *syntax.DeclClause:
			for _, a := range n.Args {
				if a.Value != nil {
					plainWords([]*syntax.Word{a.Value})
				}
			}
		case *syntax.ParamExp:
			ownProcess(n)
		}
		return true
	})
}

func plainWords(words []*syntax.Word) {
	for _, word := range words {
		for _, part := range word.Parts {
			if lit, ok := part.(*syntax.Lit); ok {
				lit.Value = plainBraces(lit.Value)
			}
		}
	}
}

func ownProcess(n *syntax.ParamExp) {
	if n.Param == nil {
		return
	}
	switch n.Param.Value {
	case "$":
		n.Param.Value = shellPID
	case "PPID":
		n.Param.Value = parentPID
	case "0":
		n.Param.Value = shellName
	}
}

// plainBraces takes the special meaning from braces.
func plainBraces(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '\\' && i+1 < len(text):
			b.WriteByte(text[i])
			i++
		case text[i] == '{':
			b.WriteByte('\\')
		}
		b.WriteByte(text[i])
	}
	return b.String()
}

const (
	shellPID  = "_SHELL_PID"
	parentPID = "_PARENT_PID"
	shellName = "_SHELL_NAME"
)

// variables are a container's environment, with those few that the interpreter would otherwise ask the machine for.
type variables struct{ expand.Environ }

func environ(pairs []string) expand.Environ {
	return variables{expand.ListEnviron(append([]string{"PATH=" + usualPath, "HOME=/root"}, pairs...)...)}
}

// Get implements expand.Environ.
func (v variables) Get(name string) expand.Variable {
	if user, ok := strings.CutPrefix(name, "HOME "); ok { // for ~user
		if user == "root" {
			return textVariable("/root")
		}
		return textVariable("~" + user)
	}
	switch name {
	case "TMPDIR":
		return textVariable(safeDir)
	case "UID", "EUID", "GID":
		return textVariable("0")
	case shellPID:
		return textVariable("7")
	case parentPID:
		return textVariable("0")
	case shellName:
		return textVariable("sh")
	}
	return v.Environ.Get(name)
}

func textVariable(value string) expand.Variable {
	return expand.Variable{Set: true, Kind: expand.String, Str: value}
}
