package shell

import (
	"archive/tar"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"

	"github.com/fieldmark/fieldmark/practice/filesystem"
)

// archive is tar, as far as kubectl cp needs it: it writes an archive to the standard output, or reads one from the standard input.
func archive(ctx context.Context, p *process) int {
	mode, dir := "", p.dir
	var names []string
	for i := 0; i < len(p.args); i++ {
		arg := p.args[i]
		switch {
		case strings.HasPrefix(arg, "--"):
		case arg == "-C" && i+1 < len(p.args):
			i++
			dir = absolute(dir, p.args[i])
		case mode == "":
			mode = strings.TrimPrefix(arg, "-")
			if !strings.Contains(mode, "f") || i+1 == len(p.args) || p.args[i+1] != "-" {
				return p.fail(1, "this container's tar only reads standard input and writes standard output: f -")
			}
			i++
		default:
			names = append(names, arg)
		}
	}
	switch {
	case strings.Contains(mode, "c"):
		return p.pack(ctx, dir, names)
	case strings.Contains(mode, "x"), strings.Contains(mode, "t"):
		return p.unpack(ctx, dir, strings.Contains(mode, "t"))
	}
	return p.fail(1, "use one of c, t and x")
}

// pack writes files to the standard output.
func (p *process) pack(ctx context.Context, dir string, names []string) int {
	w := tar.NewWriter(p.out)
	code := 0
	for _, name := range names {
		if strings.HasPrefix(name, "/") {
			_, _ = fmt.Fprintln(p.err, "tar: removing leading '/' from member names")
		}
		if err := p.packOne(ctx, w, absolute(dir, name), strings.TrimLeft(path.Clean(name), "/")); err != nil {
			code = p.fail(1, "%s: %s", name, reason(err))
		}
	}
	if err := w.Close(); err != nil {
		return p.fail(1, "%v", err)
	}
	return code
}

func (p *process) packOne(ctx context.Context, w *tar.Writer, file, name string) error {
	info, err := p.c.Files.Lstat(file)
	if err != nil || ctx.Err() != nil {
		return err
	}
	var data []byte
	if info.Mode().IsRegular() {
		if data, err = p.c.Files.Read(file); err != nil {
			return err
		}
	}
	header, err := tar.FileInfoHeader(plain{info}, filesystem.Target(info))
	if err != nil {
		return fmt.Errorf("describing a file: %w", err)
	}
	header.Name, header.Size, header.Uname, header.Gname = name, int64(len(data)), "root", "root"
	if info.IsDir() {
		header.Name += "/"
	}
	if err := w.WriteHeader(header); err != nil {
		return fmt.Errorf("writing an archive: %w", err)
	}
	if _, err := w.Write(data); err != nil {
		return fmt.Errorf("writing an archive: %w", err)
	}
	if !info.IsDir() {
		return nil
	}
	entries, err := p.c.Files.ReadDir(file)
	for _, entry := range entries {
		if err := p.packOne(ctx, w, path.Join(file, entry.Name()), path.Join(name, entry.Name())); err != nil {
			return err
		}
	}
	return err
}

// plain hides what the tar package would ask the machine for: the names of users.
type plain struct{ fs.FileInfo }

func (plain) Sys() any { return nil }

// unpack creates the files of the archive in the standard input, or lists them.
func (p *process) unpack(ctx context.Context, dir string, list bool) int {
	r := tar.NewReader(p.in)
	for ctx.Err() == nil {
		header, err := r.Next()
		if errors.Is(err, io.EOF) {
			_, _ = io.Copy(io.Discard, p.in) // what pads the archive
			return 0
		}
		if err != nil {
			return p.fail(1, "%v", err)
		}
		if list {
			p.print(header.Name)
			continue
		}
		if err := p.unpackOne(r, header, path.Join(dir, strings.TrimLeft(header.Name, "/"))); err != nil {
			return p.fail(1, "%s: %s", header.Name, reason(err))
		}
	}
	return killed
}

func (p *process) unpackOne(r io.Reader, header *tar.Header, file string) error {
	if header.FileInfo().IsDir() {
		return p.c.Files.MkdirAll(file, 0o755)
	}
	if err := p.c.Files.MkdirAll(path.Dir(file), 0o755); err != nil {
		return err
	}
	if header.Typeflag == tar.TypeSymlink {
		return p.c.Files.Symlink(header.Linkname, file)
	}
	to, err := p.c.Files.Open(file, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644)
	if err != nil {
		return err
	}
	if err := p.c.Files.Chmod(file, header.FileInfo().Mode()); err != nil {
		return err
	}
	if _, err := io.Copy(to, r); err != nil {
		return fmt.Errorf("unpacking: %w", err)
	}
	return nil
}
