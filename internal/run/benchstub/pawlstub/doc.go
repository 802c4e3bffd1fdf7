// Package pawlstub runs inside the test binary of somebody else's package and
// writes down what one function is called with, as Go source.
//
// It imports nothing but the standard library: package benchstub adds it to
// GOROOT/src by an overlay, where any module can import it as "pawlstub". The
// function begins with
//
//	if pawlstub.On() {
//		call := pawlstub.Enter("example.com/m", "d,s", &d, &s)
//		defer func() { call.Leave(recover(), &r0, &r1) }()
//	}
//
// Values cannot leave a process, so they leave it as text. The text is taken
// when the call begins and again when it ends: where the two differ, the
// function writes to what it was given. No method of the user's is called, and
// nothing of the user's is written, except that mutexes which are free are held
// while what they guard is read.
//
// What has no text that gives an equal value is refused, with its path and the
// reason: functions without a name, channels, live resources, cycles, and
// unexported fields and types of other packages.
//
// Each input of its own goes as one JSON object on a line to the file
// PAWL_STUB_OUT, when the call has ended, so that nothing is lost when the
// process dies. The first thousands of calls are looked at, then those whose
// number is a power of two, and those that are larger than any before. A call
// within a call on the same goroutine is not.
package pawlstub
