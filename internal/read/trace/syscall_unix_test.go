//go:build unix

package trace

import (
	"os"
	"syscall"
	"testing"

	"github.com/pawl-dev/pawl/internal/model"
)

func TestSyscall(t *testing.T) {
	if testing.Short() {
		t.Skip("traces a program at work")
	}
	checkCause(t, model.WaitSyscall, waitForSyscall(t), "waitForSyscall")
}

// waitForSyscall reads from a pipe that is not in the poller.
func waitForSyscall(t testing.TB) func() {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close(); w.Close() })
	fd, out := int(r.Fd()), int(w.Fd()) // Fd makes them block
	return func() {
		go func() {
			for range 10 {
				burn(nap)
				_, _ = syscall.Write(out, []byte("x"))
			}
		}()
		for range 10 {
			_, _ = syscall.Read(fd, make([]byte, 1))
		}
	}
}
