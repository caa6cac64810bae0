package upstream

import (
	"errors"
	"fmt"
	"io"

	"golang.org/x/net/http2"
)

// errPromised ends a connection whose server pushes what nobody has requested.
var errPromised = fmt.Errorf("the server pushes responses: %w", io.ErrUnexpectedEOF)

// readFrames handles what the server sends, until the connection ends.
func (t *trunk) readFrames() {
	for {
		f, err := t.framer.ReadFrame()
		if bad, ok := errors.AsType[http2.StreamError](err); ok { // the other streams go on
			t.refuse(bad.StreamID, bad.Code)
			continue
		}
		if err == nil {
			err = t.handleFrame(f)
		}
		if err != nil {
			t.fail(err)
			return
		}
	}
}

// handleFrame handles one frame. An error ends the connection.
func (t *trunk) handleFrame(f http2.Frame) error {
	switch f := f.(type) {
	case *http2.DataFrame:
		t.data(f)
	case *http2.MetaHeadersFrame:
		t.head(f)
	case *http2.RSTStreamFrame:
		t.reset(f)
	case *http2.SettingsFrame:
		return t.adopt(f)
	case *http2.GoAwayFrame:
		t.handleGoAway(f.LastStreamID)
	case *http2.PingFrame:
		if !f.IsAck() {
			echo := f.Data
			t.writeFrame(func(f *http2.Framer) error { return f.WritePing(true, echo) })
		}
	case *http2.PushPromiseFrame:
		return errPromised
	}
	return nil
}

// findStream gives a stream; nil: it has ended.
func (t *trunk) findStream(id uint32) *flow {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.streams[id]
}

// adopt adopts the settings of the server.
func (t *trunk) adopt(f *http2.SettingsFrame) error {
	if f.IsAck() {
		return nil
	}
	t.writing.Lock()
	defer t.writing.Unlock()
	t.mu.Lock()
	if most, ok := f.Value(http2.SettingMaxConcurrentStreams); ok {
		t.most = int(min(most, 1<<16))
	}
	t.mu.Unlock()
	if size, ok := f.Value(http2.SettingMaxFrameSize); ok {
		t.maxFrame = int(size)
	}
	if size, ok := f.Value(http2.SettingHeaderTableSize); ok {
		t.encoder.SetMaxDynamicTableSize(min(size, table))
	}
	t.limitWrite()
	return t.framer.WriteSettingsAck() //nolint:wrapcheck // errors of the connection read as those of net/http
}

// data gives a stream its data, and the server its room on the connection again.
func (t *trunk) data(f *http2.DataFrame) {
	size := int(f.Length)
	if t.credit += size; t.credit >= giveBack {
		credit := uint32(t.credit)
		t.credit = 0
		t.writeFrame(func(f *http2.Framer) error { return f.WriteWindowUpdate(0, credit) })
	}
	s := t.findStream(f.StreamID)
	if s == nil {
		return
	}
	if !s.receiveData(f.Data(), size) {
		t.refuse(f.StreamID, http2.ErrCodeFlowControl)
		return
	}
	if f.StreamEnded() {
		t.ended(s)
	}
}

// ended ends a stream as the server did.
func (t *trunk) ended(s *flow) {
	t.drop(s.id)
	s.finish(io.EOF)
}

// refuse ends a stream on which the server sent what it may not.
func (t *trunk) refuse(id uint32, code http2.ErrCode) {
	s := t.findStream(id)
	if s == nil || !t.drop(id) {
		return
	}
	s.finish(fmt.Errorf("the server violates HTTP/2 (%s): %w", code, io.ErrUnexpectedEOF))
	t.writeFrame(func(f *http2.Framer) error { return f.WriteRSTStream(id, code) })
}

// reset ends a stream that the server has given up.
func (t *trunk) reset(f *http2.RSTStreamFrame) {
	s := t.findStream(f.StreamID)
	if s == nil {
		return
	}
	t.drop(f.StreamID)
	if f.ErrCode == http2.ErrCodeRefusedStream {
		s.finish(errUnprocessed)
		return
	}
	s.finish(fmt.Errorf("the server reset the stream (%s): %w", f.ErrCode, io.ErrUnexpectedEOF))
}

// handleGoAway lets no stream begin. The server won't process those after last; the others go on.
func (t *trunk) handleGoAway(last uint32) {
	t.many.forget(t)
	var late []*flow
	t.mu.Lock()
	t.leaving = true
	for id, s := range t.streams {
		if id > last {
			late = append(late, s)
		}
	}
	t.mu.Unlock()
	for _, s := range late {
		t.drop(s.id)
		s.finish(errUnprocessed)
	}
	t.mu.Lock()
	over := len(t.streams)+t.reserved == 0
	t.mu.Unlock()
	if over {
		t.close()
	}
}
