// Command canaries shows how often a live canary is right. It starts pairs of fresh processes of one server, makes the
// load, and lets the second do some percent more work for each request. It prints one table:
// how many of the pairs passed, failed and stayed undecided, and after how long. It is no part of pawl, and nothing
// fails on what it prints.
//
//	go build -o /tmp/pawl ./cmd/pawl
//	go run ./internal/lab/canaries -pawl /tmp/pawl -more 0,3,10 -runs 20
//
// The server is this program itself: 1 ms of hashing for each request, and the listener of package admin. More work is
// counted in percent of all that a request costs, which is measured first.
package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"sync/atomic"
	"text/tabwriter"
	"time"

	"github.com/pawl-dev/pawl/admin"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "canaries:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	fs := flag.NewFlagSet("canaries", flag.ContinueOnError)
	pawl := fs.String("pawl", "pawl", "the `program` that judges")
	more := fs.String("more", "0,3,10", "`percent` of work that the canary does more")
	runs := fs.Int("runs", 20, "pairs of each")
	limit := fs.Duration("for", time.Minute, "the longest `time` of one")
	rate := fs.Int("rate", 150, "requests a second to each side")
	rounds := fs.Int("serve", 0, "be the server, with so many `hashes` for a request")
	if err := fs.Parse(args); err != nil {
		return err
	}
	if *rounds > 0 {
		return serve(ctx, *rounds)
	}
	unit := hashesIn(time.Millisecond)
	cost, err := costOf(ctx, unit, *rate)
	if err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "a request costs %v, and 1ms of that is its work\n", cost.Round(time.Microsecond))
	whole := float64(unit) * float64(cost) / float64(time.Millisecond)
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "more work\tpass\tfail\tundecided\tother\tmean time")
	for field := range strings.SplitSeq(*more, ",") {
		percent, err := strconv.ParseFloat(field, 64)
		if err != nil {
			return err
		}
		row := tally{}
		for range *runs {
			p := pair{pawl: *pawl, base: unit, canary: unit + int(whole*percent/100), rate: *rate, limit: *limit}
			if err := p.judge(ctx, &row); err != nil {
				return err
			}
		}
		mean := (row.took / time.Duration(*runs)).Round(time.Second)
		fmt.Fprintf(table, "%s %%\t%d\t%d\t%d\t%d\t%v\n", field, row.codes[0], row.codes[1], row.codes[4], row.other(*runs), mean)
	}
	return table.Flush()
}

// A tally counts exit codes.
type tally struct {
	codes [5]int
	took  time.Duration
}

func (t *tally) other(runs int) int { return runs - t.codes[0] - t.codes[1] - t.codes[4] }

// hashesIn returns how many hashes fit into d here, by the fastest of some tries: work is counted in hashes, so that both
// sides of a pair differ by what was asked for and not by a clock.
func hashesIn(d time.Duration) int {
	const n = 2000
	fastest := time.Hour
	for range 50 {
		start := time.Now()
		work(n)
		fastest = min(fastest, time.Since(start))
	}
	return int(n * float64(d) / float64(fastest))
}

func work(n int) [sha256.Size]byte {
	var sum [sha256.Size]byte
	for range n {
		sum = sha256.Sum256(sum[:])
	}
	return sum
}

// serve answers requests until ctx ends, after it has printed its two addresses.
func serve(ctx context.Context, hashes int) error {
	debug, err := admin.Listen(ctx, "127.0.0.1:0", admin.Options{})
	if err != nil {
		return err
	}
	defer debug.Close()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	var served atomic.Int64
	mux := http.NewServeMux()
	mux.HandleFunc("/work", func(w http.ResponseWriter, _ *http.Request) {
		sum := work(hashes)
		served.Add(1)
		w.Write(sum[:])
	})
	mux.HandleFunc("/metrics", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, "# TYPE work_total counter\nwork_total %d\n", served.Load())
		resp, err := http.Get("http://" + debug.Addr().String() + "/metrics")
		if err != nil {
			return
		}
		defer resp.Body.Close()
		io.Copy(w, resp.Body)
	})
	fmt.Println(ln.Addr(), debug.Addr())
	server := &http.Server{Handler: mux}
	context.AfterFunc(ctx, func() { server.Close() })
	if err := server.Serve(ln); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// A pair is two fresh processes under the same load.
type pair struct {
	pawl         string
	base, canary int
	rate         int
	limit        time.Duration
}

func (p pair) judge(ctx context.Context, row *tally) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var sides [2]string
	for i, hashes := range []int{p.base, p.canary} {
		addr, profiles, err := start(ctx, hashes)
		if err != nil {
			return err
		}
		sides[i] = "http://" + profiles + ",http://" + addr + "/metrics"
		done := make(chan struct{})
		go func() { defer close(done); load(ctx, "http://"+addr+"/work", p.rate) }()
		defer func() { stop(); <-done }()
	}
	var said bytes.Buffer
	judge := exec.CommandContext(ctx, p.pawl, "watch", "-baseline", sides[0], "-canary", sides[1],
		"-per", "work_total", "-window", "1s", "-for", p.limit.String())
	judge.Stdout, judge.Stderr = &said, &said
	begun := time.Now()
	err := judge.Run()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		return err
	}
	took := time.Since(begun)
	row.took += took
	if code := judge.ProcessState.ExitCode(); code >= 0 && code < len(row.codes) {
		row.codes[code]++
	}
	change := ""
	for line := range strings.Lines(said.String()) {
		if rest, ok := strings.CutPrefix(strings.TrimSpace(line), "change "); ok {
			change = strings.TrimSpace(rest)
		}
	}
	fmt.Fprintf(os.Stderr, "%+d hashes, exit code %d after %v: %s\n",
		p.canary-p.base, judge.ProcessState.ExitCode(), took.Round(time.Second), change)
	return nil
}

// costOf returns the CPU time of one request to a server that is under the load of a pair's side for some seconds.
func costOf(ctx context.Context, hashes, rate int) (time.Duration, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	addr, _, err := start(ctx, hashes)
	if err != nil {
		return 0, err
	}
	done := make(chan struct{})
	go func() { defer close(done); load(ctx, "http://"+addr+"/work", rate) }()
	defer func() { stop(); <-done }()
	var spent, served [2]float64
	for i := range 2 {
		time.Sleep(2 * time.Second)
		if spent[i], served[i], err = counters("http://" + addr + "/metrics"); err != nil {
			return 0, err
		}
	}
	return time.Duration(float64(time.Second) * (spent[1] - spent[0]) / (served[1] - served[0])), nil
}

// counters reads what a server has spent, in seconds of CPU time, and how many requests it has served.
func counters(url string) (spent, served float64, err error) {
	resp, err := http.Get(url)
	if err != nil {
		return 0, 0, err
	}
	defer resp.Body.Close()
	for lines := bufio.NewScanner(resp.Body); lines.Scan(); {
		fmt.Sscanf(lines.Text(), "process_cpu_seconds_total %g", &spent)
		fmt.Sscanf(lines.Text(), "work_total %g", &served)
	}
	if spent == 0 || served == 0 {
		return 0, 0, fmt.Errorf("%s shows no process_cpu_seconds_total, or no request", url)
	}
	return spent, served, nil
}

func start(ctx context.Context, hashes int) (addr, profiles string, err error) {
	self, err := os.Executable()
	if err != nil {
		return "", "", err
	}
	server := exec.CommandContext(ctx, self, "-serve", strconv.Itoa(hashes))
	server.Cancel = func() error { return server.Process.Signal(os.Interrupt) }
	server.Stderr = os.Stderr
	out, err := server.StdoutPipe()
	if err != nil {
		return "", "", err
	}
	if err := server.Start(); err != nil {
		return "", "", err
	}
	context.AfterFunc(ctx, func() { server.Wait() })
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		return "", "", fmt.Errorf("the server printed no address: %w", err)
	}
	if _, err := fmt.Sscan(line, &addr, &profiles); err != nil {
		return "", "", err
	}
	return addr, profiles, nil
}

// load asks url rate times a second, one request at a time, until ctx ends.
func load(ctx context.Context, url string, rate int) {
	tick := time.NewTicker(time.Second / time.Duration(rate))
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
			if err != nil {
				return
			}
			resp, err := http.DefaultClient.Do(req)
			if err != nil {
				continue
			}
			io.Copy(io.Discard, resp.Body)
			resp.Body.Close()
		}
	}
}
