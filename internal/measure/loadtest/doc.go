// Package loadtest compares two programs under a load command, so that a service
// without benchmarks can be judged too: by the CPU time that a request costs
// the program, and by the latencies that the load command reports.
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
// each program are read before its load begins, and after it has ended and
// the program has come to rest (a quarter of a second at the most), so that
// collecting garbage or writing after the answer is not free. The log of the
// ratio of CPU time per request is what the judge gets.
//
// Programs are started anew for each unit because a process has luck of its
// own (hash seeds, addresses, which page holds what) that stays with it. Runs
// of one process are then not independent: with luck of half the noise, judging
// four runs of each start as four units makes 6.1 % wrong claims where 1.7 %
// come with one each, at the same number of units (simulated, 1500
// comparisons of equals, default rules). On the server below, luck was 0.4 to
// 1.2 % beside a noise of 2 %, and the first run after a start cost what later
// ones cost. Where it does not, because caches have to fill, Options.Warm runs
// the load before what counts; longer load runs do the same.
//
// # Whose CPU time
//
// Counted are the processes of the program's group and all that descend from
// them. A live process is read from its own CPU clock, in nanoseconds (the
// clock of clock_getcpuclockid(3)); children that have ended and were waited
// for from /proc/PID/stat, in hundredths of a second. The time of children
// that nobody waits for, and of daemons, is lost: a program has to stay in the
// foreground. Work that a request causes elsewhere, in a database or in the
// kernel's own threads, is not the program's.
//
// Only Linux tells all that. Elsewhere Compare returns an error.
//
// # Together or in turns
//
// In a duet, the default, both programs share one core and are under load at the
// same time, with the load commands on the other cores: what disturbs one
// disturbs the other. With Options.Alternate one is under load at a time, in
// the order of a coin flip, while the other has nothing to do; the programs have
// one half of the cores and the load commands the other. Measured with
//
//	go test ./internal/measure/loadtest -run TablePrecision -v -load.full
//
// on a net/http server that answers with a small JSON document, and the same
// with extra work, closed loop, four connections, 80 load runs of 300 ms
// of each kind in turns, on two cores that other work kept busy (load average 4 to
// 7): the median change, the standard deviation of a unit, the same from the
// median absolute deviation, which leaves out the tails, and what a unit takes.
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
// With load runs of 500 ms and 30 units, cpu/request had 2 % in duets and 8 % in
// turns, p50 16 % and 15 %, p99 47 % and 64 %. For CPU time per request a duet
// is thus three times as precise at half the price, and it hardly has tails;
// that is why it is the default. For latencies neither is good on a busy
// machine: the middle of the distribution is tighter in turns, its tails are
// worse. Where a latency is the question, it is Alternate, with long load runs.
//
// A duet pins both programs to one core, where a Go program has GOMAXPROCS=1:
// what only shows with several threads (contention, a collector that runs
// beside the program) needs Alternate. And its latencies are those of programs
// that share their core with another one under load. That is the same for both
// and fit for a ratio; they are not what a user would see. In a closed loop,
// where each connection waits for its answer, a faster program also gets more
// requests, so that latencies differ by less, or by more, than the work does.
//
// # What is judged
//
// CPU time per request, and of the latencies the median and the highest of p99,
// p95 and p90 that is there, or those that Options.Quantiles names. The metrics
// are fixed by the first output. Each has a sequence of package judge of its
// own, with the rules for regressions, at Alpha divided by the number of
// metrics: all claims together are wrong with probability Alpha at most
// (Bonferroni), whenever one stops. A latency printed in digits so coarse that
// a change would not show is not judged: equal digits would pass for no change.
//
// A comparison ends when CPU time per request is answered and each latency is
// answered or, by its noise, hardly will be; or at the budget or the number of
// units. It has regressed when any metric is slower; it is improved when CPU
// time is less and nothing slower; clean when no change of CPU time worth
// speaking of, or at least no slowdown of that size, is left possible; and
// undecided otherwise. It is undecided too where one side fails clearly more
// requests (an error is quickly answered), and where the CPU time that was
// saved shows up as memory: the peak resident set is compared beside it.
//
// There is one binary of each side, so that the placement of its code, which
// alone can be worth 3 %, is part of the difference; a claim below that says so.
//
// # Reading the load command's output
//
// Parse reads hey, wrk and wrk2, oha (text and JSON), vegeta report (text and
// JSON), ab, the summary of k6, and two plain forms for scripts of one's own:
//
//	requests 1234
//	errors 0
//	p50 1.2ms
//	p99.9 9ms
//
// or {"requests": 1234, "errors": 0, "latency": {"p50": "1.2ms"}}.
package loadtest
