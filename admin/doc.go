// Package admin gives a service a listener for its debugging, on loopback or a
// Unix socket: profiles, runtime metrics, build information and the last seconds
// of the flight recorder. One line starts it:
//
//	debug, err := admin.Listen(ctx, "localhost:6060", admin.Options{})
//
// It serves what go tool pprof, pawl diagnose and Prometheus ask for:
//
//	/metrics                  runtime/metrics as text of Prometheus, by the names of its Go collector
//	/debug/pprof/profile      a CPU profile of seconds=N (30)
//	/debug/pprof/trace        an execution trace of seconds=N (1)
//	/debug/pprof/NAME         heap, goroutine, mutex and the other profiles of runtime/pprof; debug=1 for text
//	/debug/flight             the trace of the last seconds, with Options.Flight
//	/debug/buildinfo          what go version -m prints
//
// # What is refused
//
// Profiles tell secrets and cost time, so that nothing is opened by accident. An
// address that other machines can reach needs TLS and a token. A Unix socket must be
// its owner's alone. Net/http/pprof is not imported, since that would put profiles
// on [http.DefaultServeMux]; where another package did, Listen fails until
// [Options.AllowDefaultServeMux] says that nobody serves it.
//
// Requests on loopback must name a loopback host, come from no other page and through
// no proxy, so that neither DNS rebinding nor a careless nginx opens it. Other users of
// the machine can reach a loopback port: a token or a Unix socket keeps them out.
//
// # What is bounded
//
// Durations, the bytes of an answer, requests and connections at once, headers,
// bodies, and how long a client may take to send or to read. Of CPU profiles, traces
// and flight recordings there is one at a time; another request for one is told 409.
// An answer is collected in memory before it is sent: a slow client never holds up
// the profiler, and a failure has its status.
//
// Without a request there is one goroutine, which waits for connections. The flight
// recorder runs only when it is asked for. [Server.Close] waits for all of it.
package admin
