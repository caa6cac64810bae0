package static

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"io/fs"
	"sync"
)

// file is something to serve, in one form or more.
type file struct {
	mediaType string
	forms     map[string]form // by content coding; identity is always among them
}

// form opens a file in one content coding.
type form func() (*body, error)

// body is the content that is sent. The caller must close it.
type body struct {
	io.ReadCloser
	size int64 // negative: known only at its end
}

// plainFile is a file that compression doesn't make smaller.
func plainFile(mediaType string, content []byte) file {
	return file{mediaType, map[string]form{identity: func() (*body, error) { return inMemory(content), nil }}}
}

// textFile is a file that is compressed at the first request for a compressed form, so that the start doesn't wait for it.
func textFile(mediaType string, content []byte) file {
	f := plainFile(mediaType, content)
	packed := sync.OnceValue(func() []byte { return pack(content) })
	f.forms["gzip"] = func() (*body, error) { return inMemory(packed()), nil }
	return f
}

// packedFile is a file that the build compressed into name.br and name.gz. It has megabytes, so it is not copied.
// For the few clients that want the plain form, it is decompressed for each request.
func packedFile(mediaType string, files fs.FS, name string) (file, error) {
	f := file{mediaType, map[string]form{
		"br":     func() (*body, error) { return openBody(files, name+".br") },
		"gzip":   func() (*body, error) { return openBody(files, name+".gz") },
		identity: func() (*body, error) { return openUnpacked(files, name+".gz") },
	}}
	for coding, form := range f.forms {
		b, err := form()
		if err != nil {
			return file{}, fmt.Errorf("%s as %s: %w", name, coding, err)
		}
		_ = b.Close()
	}
	return f, nil
}

func inMemory(content []byte) *body {
	return &body{io.NopCloser(bytes.NewReader(content)), int64(len(content))}
}

func pack(content []byte) []byte {
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, _ = w.Write(content) // a bytes.Buffer takes everything
	_ = w.Close()
	return packed.Bytes()
}

func openBody(files fs.FS, name string) (*body, error) {
	f, err := files.Open(name)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	return &body{f, info.Size()}, nil
}

// openUnpacked opens the decompressed content of a gzip file.
func openUnpacked(files fs.FS, name string) (*body, error) {
	packed, err := openBody(files, name)
	if err != nil {
		return nil, err
	}
	r, err := gzip.NewReader(packed)
	if err != nil {
		_ = packed.Close()
		return nil, fmt.Errorf("unpacking: %w", err)
	}
	return &body{unpacked{r, packed}, -1}, nil
}

// unpacked reads the one and closes the other.
type unpacked struct {
	io.Reader
	io.Closer
}
