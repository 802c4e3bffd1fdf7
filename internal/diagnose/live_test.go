package diagnose

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"net/http/pprof"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/profile"
)

var keptHere, droppedHere [][]byte

// live serves this process's own profiles, as programs do.
func live(t *testing.T) *httptest.Server {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	srv := httptest.NewServer(mux)
	t.Cleanup(srv.Close)
	return srv
}

// A heap profile of a second, in which objects were made and others went, is
// read as net/http/pprof gives it.
func TestLiveHeapOfTime(t *testing.T) {
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
	s, err := Read(t.Context(), live(t).URL+"/debug/pprof/heap", 1)
	close(stop)
	<-stopped
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.Profile.Total("inuse_space"); err == nil {
		t.Log("the live side has nothing below zero: the program was slow")
	}
	d, err := Diagnose([]Source{s}, Options{})
	if err != nil || d.Profiles[0].Kind != string(profile.KindHeap) || d.Profiles[0].Total == 0 {
		t.Fatalf("%+v, %v", d, err)
	}
	if _, err := Flames([]Source{s}, nil, Options{}); err != nil {
		t.Error(err)
	}
}

func TestFetchTrace(t *testing.T) {
	srv := live(t)
	url := strings.Replace(srv.URL, "http://", "http://user:secret@", 1) + "/debug/pprof/trace"
	var b bytes.Buffer
	name, err := FetchTrace(t.Context(), url, 1, &b)
	if err != nil || !bytes.HasPrefix(b.Bytes(), []byte("go 1.")) || strings.Contains(name, "secret") || !strings.HasSuffix(name, "/debug/pprof/trace?seconds=1") {
		t.Errorf("%d bytes from %s, %v", b.Len(), name, err)
	}
	if _, err := Read(t.Context(), url, 1); err == nil || !strings.Contains(err.Error(), "execution trace") {
		t.Errorf("as a profile: %v", err)
	}
	if _, err := FetchTrace(t.Context(), srv.URL+"/nothing/debug/pprof/trace", 1, &b); err == nil || !strings.Contains(err.Error(), "does not serve") {
		t.Errorf("a page that is not there: %v", err)
	}
	for target, want := range map[string]bool{url: true, url + "?seconds=5": true, srv.URL + "/debug/pprof/heap": false, "trace": false, "http://h/trace": false} {
		if got := IsTraceURL(target); got != want {
			t.Errorf("%s is a trace: %v", target, got)
		}
	}
}
