package diagnose

import (
	"net/http"
	"net/http/httptest"
	"net/http/pprof"
	"runtime"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/explain/observe/target"
	"github.com/pawl-dev/pawl/internal/read/profile"
)

var keptHere, droppedHere [][]byte

// A heap profile of a second, in which objects were made and others went, is
// read as net/http/pprof gives it.
func TestLiveHeapOfTime(t *testing.T) {
	t.Parallel()
	for range 64 {
		droppedHere = append(droppedHere, make([]byte, 1<<20))
	}
	runtime.GC()
	runtime.GC()
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		half := time.After(500 * time.Millisecond)
		for {
			select {
			case <-stop:
				return
			case <-half: // between the two profiles, as a rule
				droppedHere = nil
			default:
			}
			keptHere = append(keptHere[:len(keptHere)%50], make([]byte, 1<<20))
			runtime.GC()
		}
	}()
	srv := httptest.NewServer(http.HandlerFunc(pprof.Index))
	defer srv.Close()
	s, err := target.Read(t.Context(), srv.URL+"/debug/pprof/heap", 1)
	close(stop)
	<-stopped
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.Profile.Total("inuse_space"); err == nil {
		t.Log("the live side has nothing below zero: the program was slow")
	}
	d, err := Diagnose([]profile.Source{s}, Options{})
	if err != nil || d.Profiles[0].Kind != string(profile.KindHeap) || d.Profiles[0].Total == 0 {
		t.Fatalf("%+v, %v", d, err)
	}
	if _, err := Flames([]profile.Source{s}, nil, Options{}); err != nil {
		t.Error(err)
	}
}
