package metrics

import (
	"context"
	"errors"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/pawl-dev/pawl/internal/host/fetch"
)

// machine is one on which process 12 listens at port 6060 of all addresses, and
// 13 at 6061 of ::1.
func machine() fstest.MapFS {
	const head = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"
	root := fstest.MapFS{}
	for name, text := range map[string]string{
		"proc/net/tcp": head + "   0: 00000000:17AC 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4711 1\n" +
			"   1: 0100007F:9999 0100007F:17AC 01 00000000:00000000 00:00000000 00000000     0        0 4712 1\n" +
			"   2: 0100000A:17AE 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4714 1\n",
		"proc/net/tcp6":            head + "   0: 00000000000000000000000001000000:17AD 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4713 1\n",
		"proc/stat":                "cpu  1 2 3\nbtime 1000000\n",
		"proc/12/stat":             "12 (a (b) c) S 1 2 3 4 5 6 7 8 9 10 250 150 13 14 15 16 17 18 500 20\n",
		"proc/12/status":           "Name:\ta\nVmRSS:\t    2048 kB\nThreads:\t9\n",
		"proc/12/cmdline":          "./a\x00-b\x00",
		"proc/12/cgroup":           "0::/a\n",
		"proc/13/stat":             "13 (b) S 1\n",
		"proc/self/mountinfo":      "31 23 0:27 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n",
		"sys/fs/cgroup/a/cpu.max":  "50000 100000\n",
		"sys/fs/cgroup/a/cpu.stat": "usage_usec 5\nnr_periods 10\nnr_throttled 4\nthrottled_usec 900\n",
	} {
		root[name] = &fstest.MapFile{Data: []byte(text)}
	}
	for name, to := range map[string]string{"proc/12/fd/3": "socket:[4711]", "proc/12/fd/4": "/dev/null", "proc/13/fd/5": "socket:[4713]"} {
		root[name] = &fstest.MapFile{Data: []byte(to), Mode: fs.ModeSymlink}
	}
	return root
}

func TestListener(t *testing.T) {
	root := machine()
	for _, tt := range []struct {
		port uint16
		want string // a process, or "!" and a part of the error
	}{
		{6060, "12"}, {6061, "13"}, {6062, "!nobody is seen"}, {0x9999, "!nobody is seen"},
	} {
		pid, err := listener(root, tt.port)
		if part, fails := strings.CutPrefix(tt.want, "!"); fails && (err == nil || !strings.Contains(err.Error(), part)) || !fails && (err != nil || pid != tt.want) {
			t.Errorf("port %d: %q, %v; want %s", tt.port, pid, err, tt.want)
		}
	}
	root["proc/14/fd/3"] = root["proc/12/fd/3"]
	if _, err := listener(root, 6060); err == nil || !strings.Contains(err.Error(), "12, 14") {
		t.Errorf("two listen: %v", err)
	}
	delete(root, "proc/14/fd/3")
	delete(root, "proc/12/fd/3")
	if _, err := listener(root, 6060); err == nil || !strings.Contains(err.Error(), "another user's") {
		t.Errorf("nobody to be seen listens: %v", err)
	}
}

func TestLoopback(t *testing.T) {
	for url, want := range map[string]uint16{
		"http://localhost:6060/metrics": 6060, "http://127.0.0.2:6060/metrics": 6060, "http://[::1]:6060/metrics": 6060, "https://localhost/metrics": 443,
		"http://10.0.0.1:6060/metrics": 0, "http://localhost.example.com:6060/metrics": 0,
	} {
		if port, ok := loopback(target(t, url).u); port != want || ok != (want != 0) {
			t.Errorf("%s: port %d, %v", url, port, ok)
		}
	}
}

func TestProcess(t *testing.T) {
	p := &process{machine(), "12"}
	r := p.read(time.Now())
	for key, want := range (figures{residentSet: 2 << 20, threads: 9, processCPU: 4, quotaCPUs: 0.5, periods: 10, stopped: 4}) {
		if r.Values[key] != want {
			t.Errorf("%s is %v, want %v", key, r.Values[key], want)
		}
	}
	// A process that passes on to the program is not the program.
	for _, tt := range []struct {
		command string
		at      float64
		want    string
	}{
		{"./a\x00-b", 1000005, ""}, {"", 0, ""}, {"./b", 0, "command"}, {"./a\x00-b", 1000009, "another time"},
	} {
		r := newReading("test")
		r.Command = tt.command
		if tt.at != 0 {
			r.Values[started] = tt.at
		}
		if why := p.other([]*series{{readings: []*Reading{r}}}); (tt.want == "") != (why == "") || !strings.Contains(why, tt.want) {
			t.Errorf("%q at %v: %q, want %q", tt.command, tt.at, why, tt.want)
		}
	}
}

// This process is found by the port that it listens at, and by its id.
func TestOwnProcess(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("there is no /proc")
	}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte("go_goroutines 5\n")) }))
	defer srv.Close()
	for _, pid := range []int{0, os.Getpid()} {
		m, err := Watch(context.Background(), []Target{target(t, srv.URL+"/metrics")}, Options{Seconds: 0.02, PID: pid, Machine: os.DirFS("/")})
		if err != nil || len(m.Sources) != 2 || m.Sources[1].Form != "process" {
			t.Fatalf("pid %d: %+v, %v", pid, m, err)
		}
		if f := figure(t, m, "rss"); f.Value < 1<<20 || f.From != "process" {
			t.Errorf("%+v", f)
		}
	}
	var wrong *fetch.Misuse
	if _, err := Watch(context.Background(), []Target{target(t, srv.URL+"/metrics")}, Options{PID: 1 << 30, Machine: os.DirFS("/")}); !errors.As(err, &wrong) {
		t.Errorf("no such process: %v", err)
	}
}

func FuzzListener(f *testing.F) {
	root := machine()
	f.Add(string(root["proc/net/tcp"].Data), string(root["proc/12/stat"].Data), uint16(6060))
	f.Add(string(root["proc/net/tcp6"].Data), "1 (", uint16(6061))
	f.Fuzz(func(t *testing.T, tcp, stat string, port uint16) {
		root := machine()
		root["proc/net/tcp"] = &fstest.MapFile{Data: []byte(tcp)}
		root["proc/12/stat"] = &fstest.MapFile{Data: []byte(stat)}
		if pid, err := listener(root, port); err == nil && pid != "12" && pid != "13" {
			t.Errorf("process %q", pid)
		}
		p := &process{root, "12"}
		p.started()
		for key, v := range p.read(time.Now()).Values {
			if !(v >= 0) {
				t.Errorf("%s is %v", key, v)
			}
		}
	})
}
