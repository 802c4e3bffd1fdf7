//go:build unix

package foreign

import (
	"compress/gzip"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestReadFile(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "a")
	if err := os.WriteFile(name, []byte("1234"), 0o600); err != nil {
		t.Fatal(err)
	}
	if data, err := ReadFile(t.Context(), name, 4); err != nil || string(data) != "1234" {
		t.Errorf("%q, %v", data, err)
	}
	var large *TooLarge
	if _, err := ReadFile(t.Context(), name, 3); !errors.As(err, &large) {
		t.Errorf("too large: %v", err)
	}
	for _, odd := range []string{"/dev/zero", "/dev/null", dir} {
		if _, err := ReadFile(t.Context(), odd, 1<<20); err == nil || !strings.Contains(err.Error(), "name a file") {
			t.Errorf("%s: %v", odd, err)
		}
	}
	if got := string(Head(name, 2)) + string(Head(name, 9)) + string(Head("/dev/zero", 3)) + string(Head(dir, 3)); got != "121234" {
		t.Errorf("heads %q", got)
	}
}

// A pipe is read to its end, and given up where it has no writer, or one that
// says nothing.
func TestPipe(t *testing.T) {
	name := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(name, 0o600); err != nil {
		t.Skip(err)
	}
	go func() {
		w, err := os.OpenFile(name, os.O_WRONLY, 0)
		if err == nil {
			_, _ = w.WriteString("text")
			w.Close()
		}
	}()
	if data, err := ReadFile(t.Context(), name, 9); err != nil || string(data) != "text" {
		t.Errorf("%q, %v", data, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Open(ctx, name); !errors.Is(err, context.Canceled) {
		t.Errorf("opening a pipe that nobody writes: %v", err)
	}
	quiet, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	ctx, cancel = context.WithCancel(t.Context())
	r := Reader(ctx, quiet)
	cancel()
	if _, err := r.Read(make([]byte, 9)); !errors.Is(err, context.Canceled) {
		t.Errorf("reading a pipe that is quiet: %v", err)
	}
}

// What is unpacked from little ends with the context too.
func TestPacked(t *testing.T) {
	pr, pw := io.Pipe()
	go func() {
		z := gzip.NewWriter(pw)
		for {
			if _, err := z.Write(make([]byte, 1<<16)); err != nil {
				return
			}
		}
	}()
	defer pr.Close()
	ctx, cancel := context.WithCancel(t.Context())
	z, err := gzip.NewReader(Reader(ctx, pr))
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	if _, err := io.Copy(io.Discard, z); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
