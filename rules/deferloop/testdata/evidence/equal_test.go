package equal

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

// short fails after a few bytes.
type short struct{ left int }

func (s *short) Write(b []byte) (int, error) {
	if s.left -= len(b); s.left < 0 {
		return 0, io.ErrShortWrite
	}
	return len(b), nil
}

func TestTotal(t *testing.T) {
	dir := t.TempDir()
	var names []string
	for i := range 100 {
		name := filepath.Join(dir, fmt.Sprint(i))
		if err := os.WriteFile(name, bytes.Repeat([]byte{byte(i)}, i*i%300), 0o600); err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	missing := append(names[:50:50], filepath.Join(dir, "none"))
	for _, files := range [][]string{nil, names[:1], names, missing, {dir}, {"", names[3]}} {
		var b1, b2 bytes.Buffer
		var n1, n2 int64
		e1, e2 := before.Total(&b1, files, &n1), after.Total(&b2, files, &n2)
		if fmt.Sprint(e1) != fmt.Sprint(e2) || n1 != n2 || !bytes.Equal(b1.Bytes(), b2.Bytes()) {
			t.Errorf("%d files: %d %v, then %d %v", len(files), n1, e1, n2, e2)
		}
	}
	for left := range 400 {
		var n1, n2 int64
		e1, e2 := before.Total(&short{left}, names, &n1), after.Total(&short{left}, names, &n2)
		if fmt.Sprint(e1) != fmt.Sprint(e2) || n1 != n2 {
			t.Errorf("room for %d: %d %v, then %d %v", left, n1, e1, n2, e2)
		}
	}
}
