package browser

import (
	"bufio"
	"bytes"
	"io"
	"strings"
	"testing"
	"time"
)

func TestMessagesHaveALimit(t *testing.T) {
	t.Parallel()
	r := bufio.NewReaderSize(strings.NewReader(strings.Repeat(" ", 1000)), 16)
	if _, err := readMessage(r, 100); err == nil || !strings.Contains(err.Error(), "more than 100 bytes") {
		t.Errorf("got: %v", err)
	}
}

// A shut pipe takes nothing.
type shut struct{}

func (shut) Write([]byte) (int, error)          { return 0, io.ErrClosedPipe }
func (shut) SetWriteDeadline(_ time.Time) error { return nil }

func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"id":1,"result":{}}` + "\x00" + `{"method":"a.b","params":{"type":3}}` + "\x00"))
	f.Add([]byte(`{"method":"Page.javascriptDialogOpening","params":{"message":"m"}}` + "\x00"))
	f.Add([]byte(`{"id":1,"error":{"message":"no"}}` + "\x00{"))
	gone := make(chan struct{})
	close(gone)
	f.Fuzz(func(t *testing.T, text []byte) {
		c := newConn(shut{}, patience)
		p := &Page{b: &Browser{conn: c, gone: gone, said: &tail{}}, loaded: map[string]bool{}, changed: make(chan struct{})}
		c.listen("", p.event)
		c.read(bytes.NewReader(text))
		if c.err == nil {
			t.Error("the end has no reason")
		}
	})
}
