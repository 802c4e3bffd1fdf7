// Package loadtest compares two programs under a load command, so that a
// service without benchmarks can be judged too. It compares the CPU time that a
// request costs the program, and the latencies that the load command reports.
//
//	Compare(ctx, Options{
//		Base:      "./old-server -addr {addr} -config x.json",
//		Candidate: "./new-server -addr {addr} -config x.json",
//		Command:   "hey -z 2s -c 8 http://{addr}/things",
//	})
//
// # How the three are run
//
// Each is one command, split as a shell splits it, with quotes and
// backslashes, and without expansion; where a pipe or a variable is needed it is
// sh -c '…'. In all three {addr} stands for 127.0.0.1 and a free port, {port}
// for the port, and PAWL_ADDR, PAWL_PORT and PORT are set in the environment. A
// program is ready when that port accepts a connection. It is ended by SIGTERM
// to its process group, and by SIGKILL two seconds later. Where pawl itself is
// killed, the system ends the programs (Linux; not what they have started).
//
// The load command should run for a time, not for a number of requests: where
// one ends first, the program that is left has the core for itself.
//
// # A unit
//
// For each unit both programs are started, in the order of a coin flip, and the
// load command runs once against each. The kernel's figures of the CPU time of
// each program are read before its load begins and after it has ended. The
// second reading waits until the program rests, a quarter of a second at the
// most, so that collecting garbage or writing after the answer is not free. The
// log of the ratio of CPU time per request is what the judge gets.
//
// Programs are started anew for each unit because a process has luck of its own
// (hash seeds, addresses, which page holds what) that stays with it. Runs of
// one process are then not independent. This was simulated with luck of half
// the noise, 1500 comparisons of equals and default rules. Judging four runs of
// each start as four units makes 6.1 % wrong claims. One run of each start
// makes 1.7 %, at the same number of units. On the server below, luck was 0.4
// to 1.2 % beside a noise of 2 %, and the first run after a start cost what
// later ones cost. Where the first run costs more, because caches have to fill,
// Options.Warm runs the load before what counts; longer load runs do the same.
//
// # Whose CPU time
//
// The processes of the program's group count, and all that descend from them. A
// live process is read from its own CPU clock, in nanoseconds (the clock of
// clock_getcpuclockid(3)); children that have ended and were waited for from
// /proc/PID/stat, in hundredths of a second. The time of children that nobody
// waits for, and of daemons, is lost: a program has to stay in the foreground.
// Work that a request causes elsewhere, in a database or in the kernel's own
// threads, is not the program's.
//
// Only Linux tells all that. Elsewhere Compare returns an error.
//
// # Together or in turns
//
// In a duet, the default, both programs share one core and are under load at
// the same time, with the load commands on the other cores. What disturbs one
// disturbs the other. With Options.Alternate one is under load at a time, in
// the order of a coin flip, while the other has nothing to do. The programs
// have one half of the cores and the load commands the other. The table was
// measured with
//
//	go test ./internal/measure/loadtest -run TablePrecision -v -load.full
//
// on a net/http server that answers with a small JSON document, and on the same
// with extra work. The loop was closed, with four connections and 80 load runs
// of 300 ms of each kind in turns. Other work kept the two cores busy (load
// average 4 to 7). The columns are the standard deviation of a unit, the same
// from the median absolute deviation (robust), the median change, and what a
// unit takes. The median absolute deviation leaves out the tails.
//
//	                            equal programs           7 % more work
//	                         sd   robust   median     sd   robust   median   a unit
//	duet       cpu/request    4 %    1.6 %  +0.6 %     4 %    2.4 %  +7.3 %   0.38 s
//	           p50           19 %   15 %    +2 %      39 %   15 %   +10 %
//	           p99          109 %   64 %    +3 %      70 %   74 %    +7 %
//	alternate  cpu/request   30 %    5.0 %  −0.5 %    38 %    6.4 %  +6.0 %   0.74 s
//	           p50          125 %    5.2 %  −1 %     161 %    4.1 %   +6 %
//	           p99           87 %   36 %    −5 %      79 %   26 %    −2 %
//
// With load runs of 500 ms and 30 units, cpu/request had 2 % in duets and 8 %
// in turns, p50 16 % and 15 %, p99 47 % and 64 %. For CPU time per request a
// duet is thus three times as precise at half the price, and it hardly has
// tails; that is why it is the default. For latencies neither is good on a busy
// machine: the middle of the distribution is tighter in turns, its tails are
// worse. Where a latency is the question, use Alternate with long load runs.
//
// A duet pins both programs to one core, where a Go program has GOMAXPROCS=1:
// what only shows with several threads (contention, a collector that runs
// beside the program) needs Alternate. And its latencies are those of programs
// that share their core with another one under load. A ratio of them is fair,
// since both share alike, but they are not what a user would see. In a closed
// loop, where each connection waits for its answer, a faster program also gets
// more requests, so that latencies differ by less, or by more, than the work
// does.
//
// # What is judged
//
// The metrics are CPU time per request and two latencies: the median, and the
// highest of p99, p95 and p90 that is there. Options.Quantiles names others.
// The first output fixes the metrics. Each has a sequence of package judge of
// its own, with the rules for regressions, at Alpha divided by the number of
// metrics. All claims together are then wrong with probability Alpha at most
// (Bonferroni), whenever one stops. A latency printed in digits so coarse that
// a change would not show is not judged: equal digits would pass for no change.
//
// A comparison ends when CPU time per request is answered and each latency is
// answered or, by its noise, hardly will be; or at the budget or the number of
// units. It has regressed when any metric is slower. It is improved when CPU
// time is less and nothing is slower. It is clean when no change of CPU time
// worth speaking of, or at least no slowdown of that size, is left possible.
// Otherwise it is undecided. It is also undecided where one side fails clearly
// more requests, since an error is quickly answered. The same holds where the
// CPU time that was saved shows up as memory: the peak resident set is compared
// too.
//
// There is one binary of each side, so that the placement of its code, which
// alone can be worth 3 %, is part of the difference; a claim below that says so.
//
// # Reading the load command's output
//
// parse reads hey, wrk and wrk2, oha (text and JSON), vegeta report (text and
// JSON), ab, the summary of k6, and two plain forms for scripts of one's own:
//
//	requests 1234
//	errors 0
//	p50 1.2ms
//	p99.9 9ms
//
// or {"requests": 1234, "errors": 0, "latency": {"p50": "1.2ms"}}.
package loadtest
