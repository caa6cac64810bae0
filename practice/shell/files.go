package shell

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strconv"
	"strings"
	"syscall"

	"github.com/fieldmark/fieldmark/practice/filesystem"
)

// options splits arguments into letters of options and the rest. It refuses letters that aren't among the known ones.
func (p *process) options(known string) (letters string, rest []string, ok bool) {
	for i, arg := range p.args {
		if arg == "--" {
			return letters, append(rest, p.args[i+1:]...), true
		}
		if len(arg) < 2 || arg[0] != '-' {
			rest = append(rest, arg)
			continue
		}
		if unknown := strings.Trim(arg[1:], known); unknown != "" {
			p.fail(1, "unrecognized option: %s", unknown[:1])
			return "", nil, false
		}
		letters += arg[1:]
	}
	return letters, rest, true
}

// reason is an error as programs say it: without the name of the file, with a capital letter.
func reason(err error) string {
	var number syscall.Errno
	if !errors.As(err, &number) {
		return err.Error()
	}
	text := number.Error()
	return strings.ToUpper(text[:1]) + text[1:]
}

// each calls do for each of the files, and says which ones failed.
func (p *process) each(names []string, do func(file string) error) int {
	code := 0
	for _, name := range names {
		if err := do(absolute(p.dir, name)); err != nil {
			code = p.fail(1, "%s: %s", name, reason(err))
		}
	}
	return code
}

// flow copies until the end or until the context ends.
func flow(ctx context.Context, to io.Writer, from io.Reader) error {
	buffer := make([]byte, 32<<10)
	for ctx.Err() == nil {
		n, err := from.Read(buffer)
		if n > 0 {
			if _, err := to.Write(buffer[:n]); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// inputs calls do with each file, or with the standard input if there is none.
func (p *process) inputs(names []string, do func(name string, in io.Reader) error) int {
	if len(names) == 0 {
		names = []string{"-"}
	}
	code := 0
	for _, name := range names {
		in := p.in
		if name != "-" {
			file, err := p.c.Files.Open(absolute(p.dir, name), os.O_RDONLY, 0)
			if err != nil {
				code = p.fail(1, "%s: %s", name, reason(err))
				continue
			}
			in = file
		}
		err := do(name, in)
		switch {
		case errors.Is(err, syscall.EPIPE):
			return brokenPipe
		case err != nil:
			code = p.fail(1, "%s: %s", name, reason(err))
		}
	}
	return code
}

func cat(ctx context.Context, p *process) int {
	_, names, ok := p.options("u")
	if !ok {
		return 1
	}
	return p.inputs(names, func(_ string, in io.Reader) error { return flow(ctx, p.out, in) })
}

func ls(_ context.Context, p *process) int {
	letters, names, ok := p.options("la1Ahd")
	if !ok {
		return 1
	}
	if len(names) == 0 {
		names = []string{"."}
	}
	code := 0
	for _, name := range names {
		file := absolute(p.dir, name)
		info, err := p.c.Files.Stat(file)
		switch {
		case err != nil:
			code = p.fail(1, "%s: %s", name, reason(err))
		case !info.IsDir() || strings.Contains(letters, "d"):
			p.printEntry(name, info, letters)
		default:
			if len(names) > 1 {
				p.print(name + ":")
			}
			p.listDir(file, letters)
		}
	}
	return code
}

func (p *process) listDir(dir, letters string) {
	entries, err := p.c.Files.ReadDir(dir)
	if err != nil {
		p.fail(1, "%s", reason(err))
		return
	}
	for _, entry := range entries {
		if strings.HasPrefix(entry.Name(), ".") && !strings.ContainsAny(letters, "aA") {
			continue
		}
		if info, err := entry.Info(); err == nil {
			p.printEntry(entry.Name(), info, letters)
		}
	}
}

func (p *process) printEntry(name string, info fs.FileInfo, letters string) {
	if target := filesystem.Target(info); target != "" && strings.Contains(letters, "l") {
		name += " -> " + target
	}
	if !strings.Contains(letters, "l") {
		p.print(name)
		return
	}
	mode := []byte(info.Mode().Perm().String())
	switch {
	case info.IsDir():
		mode[0] = 'd'
	case info.Mode()&fs.ModeSymlink != 0:
		mode[0] = 'l'
	case info.Mode()&fs.ModeDevice != 0:
		mode[0] = 'c'
	}
	p.print(fmt.Sprintf("%s    1 root     root     %9d %s %s", mode, info.Size(), info.ModTime().UTC().Format("Jan _2 15:04"), name))
}

func mkdir(_ context.Context, p *process) int {
	letters, names, ok := p.options("p")
	if !ok {
		return 1
	}
	return p.each(names, func(file string) error {
		if strings.Contains(letters, "p") {
			return p.c.Files.MkdirAll(file, 0o755)
		}
		return p.c.Files.Mkdir(file, 0o755)
	})
}

// remove is rm and rmdir.
func remove(_ context.Context, p *process) int {
	letters, names, ok := p.options("rRf")
	if !ok {
		return 1
	}
	return p.each(names, func(file string) error {
		info, err := p.c.Files.Lstat(file)
		switch {
		case errors.Is(err, fs.ErrNotExist) && strings.Contains(letters, "f"):
			return nil
		case err != nil:
			return err
		case strings.ContainsAny(letters, "rR") && p.name == "rm":
			return p.c.Files.RemoveAll(file)
		case info.IsDir() && p.name == "rm":
			return syscall.EISDIR
		case !info.IsDir() && p.name == "rmdir":
			return syscall.ENOTDIR
		}
		return p.c.Files.Remove(file)
	})
}

func touch(_ context.Context, p *process) int {
	_, names, ok := p.options("c")
	if !ok {
		return 1
	}
	return p.each(names, func(file string) error {
		opened, err := p.c.Files.Open(file, os.O_WRONLY|os.O_CREATE, 0o644)
		if err == nil {
			_, err = opened.Write(nil) // sets its time
		}
		return err
	})
}

func chmod(_ context.Context, p *process) int {
	if len(p.args) < 2 {
		return p.fail(1, "a mode and a file are needed")
	}
	return p.each(p.args[1:], func(file string) error {
		info, err := p.c.Files.Stat(file)
		if err != nil {
			return err
		}
		mode, err := strconv.ParseUint(p.args[0], 8, 32)
		switch {
		case p.args[0] == "+x":
			return p.c.Files.Chmod(file, info.Mode()|0o111)
		case p.args[0] == "-x":
			return p.c.Files.Chmod(file, info.Mode()&^0o111)
		case err != nil:
			return fmt.Errorf("invalid mode '%s'", p.args[0])
		}
		return p.c.Files.Chmod(file, fs.FileMode(mode))
	})
}

// into returns the path of a file that is copied or moved to a path, which may be a directory.
func (p *process) into(from, to string) string {
	to = absolute(p.dir, to)
	if info, err := p.c.Files.Stat(to); err == nil && info.IsDir() {
		return path.Join(to, path.Base(from))
	}
	return to
}

func copyFile(_ context.Context, p *process) int {
	_, names, ok := p.options("pf")
	if !ok || len(names) != 2 {
		return p.fail(1, "one file and its copy are needed")
	}
	return p.each(names[:1], func(file string) error {
		data, err := p.c.Files.Read(file)
		if err != nil {
			return err
		}
		to, err := p.c.Files.Open(p.into(file, names[1]), os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644)
		if err == nil {
			_, err = to.Write(data)
		}
		return err
	})
}

func move(_ context.Context, p *process) int {
	_, names, ok := p.options("f")
	if !ok || len(names) != 2 {
		return p.fail(1, "one file and its new name are needed")
	}
	return p.each(names[:1], func(file string) error { return p.c.Files.Rename(file, p.into(file, names[1])) })
}

func link(_ context.Context, p *process) int {
	letters, names, ok := p.options("sf")
	if !ok || len(names) != 2 || !strings.Contains(letters, "s") {
		return p.fail(1, "this container only has symbolic links: ln -s TARGET NAME")
	}
	return p.each(names[1:], func(file string) error { return p.c.Files.Symlink(names[0], p.into(names[0], file)) })
}
