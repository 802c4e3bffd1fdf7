// Package pawldrive runs inside the test binary of somebody else's package and
// drives two bodies of each changed function, the base's and the candidate's,
// with the same inputs. It compares everything that a caller can see.
//
// It is compiled into the program under test, so it is a package of its own and
// imports nothing but the standard library. Package difftest adds it to
// GOROOT/src by an overlay, where any module can import it as "pawldrive". All
// files but the tests go there; race.go is replaced by race_std.txt, which asks
// the race detector. It does not import testing or flag, starts nothing, and an
// init costs nothing: a process without PAWL_DRIVE_OUT records nothing.
//
// # Recording
//
// Register makes a function known. Its first statement is then
//
//	if pawldrive.On() {
//		pawldrive.Enter(3, []any{r, a, p}, candidate, base)
//	}
//
// Enter keeps at most 64 inputs of a function: the first 16 calls, each call
// whose number is a power of two, and calls whose arguments have a new shape. A
// shape is types, rough lengths and magnitudes. An input is the receiver and
// the arguments, copied together: what they share, the copies share, down to
// overlapping windows of one array. The copy reads memory by reflection and
// unsafe and calls no method of the user's. It takes the mutexes that it meets
// with TryLock, so that it does not read what somebody writes, and gives them
// back; nothing else of the user's is written. Where a mutex is held, the input
// is left out; when all are held, since that is how the function is called, the
// copies hold them too. Enter does not wait: calls that come while another one
// is copied are only counted.
//
// Not everything can be copied. Files, descriptors, processes and tests are
// live: such an input is dropped, and counted with its reason. The standard
// streams become the null device. Channels become fresh ones, timers stopped
// ones, contexts never end. Errors, locations, regular expressions and what
// package-level variables hold directly are shared, for it matters which one
// they are. What is left out of the comparison by this is in the record.
//
// # Driving
//
// Drive, called after all tests and benchmarks, takes one function after the
// other: each recorded input; inputs generated from them, until there are
// PAWL_DRIVE_PAIRS pairs; sequences of six calls on one receiver. Generation
// changes what a caller chooses: arguments and what they lead to, but no struct
// with unexported fields. Numbers beyond 2^21 wait for the end, unless they were
// recorded too, since a count of that size may allocate or loop forever.
//
// A pair is one call of either body, on a fresh copy of the input. The package
// compares results, errors (text, types and identity of what they wrap,
// exported fields), and panics (that there is one; the value, unless it is the
// runtime's). It also compares arguments and receiver afterwards, and the calls
// of function arguments. Recorders replace these; their answers depend on what
// they are asked. Pointers are equal when what they lead to is. Within
// unexported fields a nil slice equals an empty one, and buffers of the
// standard library are compared by what is in them. Addresses are not compared.
//
// Code of the module asks Now, Entropy, Random and their like where its source
// asks package time and the packages of random numbers. While a call is driven,
// both sides are told the same: a clock that advances with each question, and a
// stream for each source. The calls of a sequence lie up to a year apart. Where
// one side asks more often, what the base makes of the answers is not compared.
//
// What benchmarks that judge the change (PAWL_DRIVE_JUDGES) call a function with is
// kept beside that, up to eight inputs each, and driven first. Package testing says
// which benchmark runs.
//
// Called notes the calls of values whose type changed inside: what makes them, what is called on
// them and with what. The calls of one goroutine within another such call are not noted. A
// history, which has the calls of values that have to do with each other, is recorded when a
// benchmark ends, or all do. It has 4096 calls at most, 256 KiB and a tenth of a second; a
// history that began with a value of unknown origin is none. One in two that is generated has
// other calls, another order, or other values.
//
// One pair in four, and one sequence in three, begins with a receiver that one of
// Makers made or that some of Methods were called on. In the phase "passed",
// functions, writers and readers that are passed in fail, panic, or call those
// methods, and readers give little at a time. In two of three sequences such
// methods are called between the steps.
//
// Functions that a test passed in and fields hold are called as they are; their
// calls are logged where they return an error at most, and they have moods, too.
//
// A result that its caller may write must not share memory with an argument or a
// package variable, nor one argument with another, unless the base does so. The
// same holds for writing to the room behind an argument's end.
//
// In sequences, what was returned must stay as it is until the end, unless the
// base changes it too (kind "aliasing"). They are played again while the caller
// overwrites, after each call, what was returned, and then what it handed in.
// If later calls then differ, memory is shared that the base does not share
// (kind "leak"). What was overwritten is put back at the end.
//
// Before a difference is reported, the base is run up to twelve more times.
// Where it does not agree with itself, that part is named as not compared. The
// candidate has to differ again.
//
// Then each body is called some hundreds of times, to count the goroutines,
// descriptors and live bytes that are left. What new inputs cost is compared
// with what one input costs again and again.
//
// # What it writes
//
// One JSON object per line, appended to the file PAWL_DRIVE_OUT:
//
//	{"start":{"id":3,"func":"…","phase":"generated","input":17}}
//	{"func":{"id":3,…},"states":[…]}
//	{"concurrent":{"id":3,"mode":"base","calls":512,"races":0,…}}
//	{"end":{"reason":"done"}}
//
// A start line is written before what might end the process. The phases are
// "recorded", "generated", "sequence", "passed", "leaks", "fresh", "extremes",
// and the concurrent modes. A function has a func line before the phase
// "leaks", one after it, and another when the phase "extremes" compared more.
// There, pairs, the parts not compared and fresh are those of all phases; calls
// and differences are only what is new. When the process ends during "extremes",
// all functions have had their lines. Without an end line the process died of
// what the last start line names. The reason "hang" means that a call did not
// return and cannot be stopped. The function has its line, and the others need
// another process, with PAWL_DRIVE_SKIP.
//
// PAWL_DRIVE_SECONDS is shared by the functions of a process, PAWL_DRIVE_SEED
// chooses the generated inputs, PAWL_DRIVE_SKIP lists identifiers. PAWL_DRIVE_DONE
// lists those that only have "extremes" to come, and PAWL_DRIVE_AVOID inputs and
// phases in which a process ended. PAWL_DRIVE_MEMORY is how many bytes driving may
// take. Times are the process's own: what others held it up does not count. With
// PAWL_DRIVE_MODE "concurrent-base" or "concurrent-candidate", four goroutines
// call one body at the same time on one receiver. The results are compared with
// those of calls one after the other, where these do not depend on their order.
// Then the receiver's other methods, and functions that write the package variables
// which it reads, are called meanwhile, and races counted.
// What the base does not allow must not be asked of the candidate; the reader
// of the records decides that (PAWL_DRIVE_BESIDE).
//
// # What it does not see
//
// Package-level variables are one for both bodies. Functions in fields are
// shared, and what they remember with them. Memory behind an unsafe.Pointer is
// shared.
package pawldrive
