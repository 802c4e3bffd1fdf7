package loadtest

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// The test binary is also the programs and the load commands of the tests: run
// as "BINARY helper server …" and "BINARY helper load …".
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "helper" {
		switch os.Args[2] {
		case "server":
			helperServer(os.Args[3:])
		case "load":
			helperLoad(os.Args[3:])
		case "compare":
			helperCompare()
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// self returns the command of a helper.
func self(t testing.TB, words string) string {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return "'" + exe + "' helper " + words
}

// helperCompare compares until it is killed. Its load commands leave a file to
// say that they run.
func helperCompare() {
	server := "'" + os.Args[0] + "' helper server"
	_, _, err := Compare(context.Background(), Options{
		Base: server, Candidate: server, Command: `sh -c 'echo >"$PAWL_LOAD_RUNS"; exec sleep 60'`, WarmUp: -1,
	})
	fmt.Println(err)
}

// helperServer answers with a small JSON document.
func helperServer(args []string) {
	f := flag.NewFlagSet("server", flag.ExitOnError)
	addr := f.String("addr", os.Getenv("PAWL_ADDR"), "")
	work := f.Int("work", 0, "rounds of extra work a request")
	fail := f.Int("fail", 0, "answer every so manieth request with status 500")
	exit := f.Int("exit", -1, "say so and end at once with this code")
	mute := f.Bool("mute", false, "never listen")
	die := f.Int("die", 0, "end after so many requests")
	child := f.Bool("child", false, "let a child process do everything")
	hold := f.Int("hold", 0, "MiB of memory to hold")
	stubborn := f.Bool("stubborn", false, "ignore SIGTERM")
	_ = f.Parse(args)
	switch {
	case *exit >= 0:
		fmt.Fprintln(os.Stderr, "config.json: no such file")
		os.Exit(*exit)
	case *mute:
		fmt.Fprintln(os.Stderr, "waiting for a database")
		time.Sleep(time.Minute)
	case *child:
		cmd := exec.Command(os.Args[0], "helper", "server", "-addr", *addr, "-work", strconv.Itoa(*work))
		_ = cmd.Run()
		return
	}
	if *stubborn {
		ignoreTerm()
	}
	held := make([]byte, *hold<<20)
	for i := 0; i < len(held); i += 4096 {
		held[i] = 1
	}
	var requests, sum atomic.Int64
	h := func(w http.ResponseWriter, r *http.Request) {
		n := requests.Add(1)
		x := uint64(n)
		for range *work {
			x = x*6364136223846793005 + 1442695040888963407
		}
		sum.Add(int64(x >> 60))
		if *die > 0 && n >= int64(*die) {
			fmt.Fprintln(os.Stderr, "panic: out of cheese")
			os.Exit(2)
		}
		if *fail > 0 && n%int64(*fail) == 0 {
			http.Error(w, "no", http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{"id": n, "name": "pawl", "path": r.URL.Path, "tags": []string{"a", "b", "c"}})
	}
	fmt.Fprintln(os.Stderr, http.ListenAndServe(*addr, http.HandlerFunc(h)))
	fmt.Fprintln(io.Discard, held[:min(1, len(held))])
	os.Exit(1)
}

// helperLoad makes requests over a few connections for a while, and prints the
// plain form.
func helperLoad(args []string) {
	f := flag.NewFlagSet("load", flag.ExitOnError)
	addr := f.String("addr", os.Getenv("PAWL_ADDR"), "")
	d := f.Duration("d", 100*time.Millisecond, "")
	n := f.Int("c", 4, "connections")
	exit := f.Int("exit", 0, "")
	say := f.String("say", "", "print this instead")
	hang := f.Bool("hang", false, "")
	_ = f.Parse(args)
	if *hang {
		time.Sleep(time.Minute)
	}
	var mu sync.Mutex
	var wg sync.WaitGroup
	var all []time.Duration
	failed := 0
	end := time.Now().Add(*d)
	for range *n {
		wg.Go(func() {
			took, bad := helperConnection(*addr, end)
			mu.Lock()
			defer mu.Unlock()
			all, failed = append(all, took...), failed+bad
		})
	}
	wg.Wait()
	if *exit != 0 {
		fmt.Fprintln(os.Stderr, "thresholds were crossed")
		os.Exit(*exit)
	}
	if *say != "" {
		fmt.Println(*say)
		return
	}
	slices.Sort(all)
	fmt.Printf("requests %d\nerrors %d\n", len(all), failed)
	if len(all) > 0 {
		fmt.Printf("p50 %dns\np99 %dns\n", all[len(all)/2], all[len(all)*99/100])
	}
}

func helperConnection(addr string, end time.Time) (took []time.Duration, failed int) {
	c, err := net.Dial("tcp", addr)
	if err != nil {
		return []time.Duration{0}, 1
	}
	defer func() { _ = c.Close() }()
	r := bufio.NewReader(c)
	for last := time.Now(); len(took) == 0 || last.Before(end); { // one at least, however busy the machine is
		ok, err := helperRequest(c, r)
		now := time.Now()
		took = append(took, now.Sub(last))
		last = now
		if !ok {
			failed++
		}
		if err != nil {
			return took, failed
		}
	}
	return took, failed
}

func helperRequest(w io.Writer, r *bufio.Reader) (ok bool, err error) {
	if _, err := io.WriteString(w, "GET /things HTTP/1.1\r\nHost: pawl\r\n\r\n"); err != nil {
		return false, err
	}
	length := 0
	for first := true; ; first = false {
		line, err := r.ReadString('\n')
		if err != nil {
			return false, err
		}
		if first {
			ok = strings.Contains(line, " 200 ")
		}
		if v, found := strings.CutPrefix(line, "Content-Length: "); found {
			length, _ = strconv.Atoi(strings.TrimSpace(v))
		}
		if line == "\r\n" {
			break
		}
	}
	_, err = r.Discard(length)
	return ok, err
}
