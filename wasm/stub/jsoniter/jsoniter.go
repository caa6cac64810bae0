// Package jsoniter is what the browser's program links in place of the real json-iterator: the names by which
// structured-merge-diff writes and reads sets of fields, which no page does (package ownership reads managedFields itself).
// See docs/decisions/0010.
package jsoniter

import (
	"errors"
	"io"
)

var errNone = errors.New("json-iterator is not part of this program")

// API is none.
type API struct{}

// ConfigCompatibleWithStandardLibrary is none.
var ConfigCompatibleWithStandardLibrary API

// Iterator reads nothing.
type Iterator struct{ Error error }

// NewIterator makes one.
func NewIterator(API) *Iterator { return &Iterator{Error: errNone} }

// Parse makes one.
func Parse(API, io.Reader, int) *Iterator { return NewIterator(API{}) }

// IteratorPool lends iterators.
type IteratorPool struct{}

// Pool is where iterators come from.
func (*Iterator) Pool() IteratorPool { return IteratorPool{} }

// BorrowIterator lends one.
func (IteratorPool) BorrowIterator([]byte) *Iterator { return NewIterator(API{}) }

// ReturnIterator takes it back.
func (IteratorPool) ReturnIterator(*Iterator) {}

// Read reads nothing.
func (*Iterator) Read() any { return nil }

// Skip skips nothing.
func (*Iterator) Skip() {}

// ReadObjectCB finds no fields.
func (*Iterator) ReadObjectCB(func(*Iterator, string) bool) bool { return false }

// ReadMapCB finds no fields.
func (*Iterator) ReadMapCB(func(*Iterator, string) bool) bool { return false }

// ReportError does nothing: there is an error already.
func (*Iterator) ReportError(string, string) {}

// Stream writes nothing.
type Stream struct{}

// NewStream makes one.
func NewStream(API, io.Writer, int) *Stream { return &Stream{} }

// StreamPool lends streams.
type StreamPool struct{}

// Pool is where streams come from.
func (*Stream) Pool() StreamPool { return StreamPool{} }

// BorrowStream lends one.
func (StreamPool) BorrowStream(io.Writer) *Stream { return &Stream{} }

// ReturnStream takes it back.
func (StreamPool) ReturnStream(*Stream) {}

// Buffer holds nothing.
func (*Stream) Buffer() []byte { return nil }

// SetBuffer is not heeded.
func (*Stream) SetBuffer([]byte) {}

// Flush fails, as nothing was written.
func (*Stream) Flush() error { return errNone }

// Write fails.
func (*Stream) Write([]byte) (int, error) { return 0, errNone }

// WriteRaw writes nothing, and so do the others.
func (*Stream) WriteRaw(string)         {}
func (*Stream) WriteVal(any)            {}
func (*Stream) WriteInt(int)            {}
func (*Stream) WriteMore()              {}
func (*Stream) WriteObjectStart()       {}
func (*Stream) WriteObjectEnd()         {}
func (*Stream) WriteEmptyObject()       {}
func (*Stream) WriteObjectField(string) {}
