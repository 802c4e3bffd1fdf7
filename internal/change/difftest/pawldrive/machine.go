package pawldrive

import (
	crand "crypto/rand"
	"io"
	mrand "math/rand"
	mrand2 "math/rand/v2"
	"sync"
	"sync/atomic"
	"time"
)

// A source is something of the machine that a call asks for and that is never
// the same twice.
type source int

const (
	clock source = iota
	entropy
	random
	randomV2
	sources
)

func (s source) String() string {
	return [...]string{"the time", "crypto/rand", "math/rand", "math/rand/v2"}[s]
}

// A draws counts what was asked of each source: for a clock how often, for
// random numbers how many bytes.
type draws [sources]int

// A machine answers code of the module under test that asks for the time or for
// random numbers: while a script is played the same to either side, and as the
// real one otherwise. Each source of random numbers has a stream of its own, so
// that one in the place of another shows.
type machine struct {
	on    atomic.Bool
	mu    sync.Mutex
	epoch time.Time // what the clock shows when driving begins
	at    time.Time // what it showed when the call began
	began time.Time // when that was
	calls int       // of the clock in this call
	rngs  [sources]rng
	drawn draws // since the script began
}

// There is one, as there is one clock: generated code has nothing else to ask.
var theMachine machine

const (
	// quick is how often one call may ask for the time before the clock runs
	// fast, so that a loop that waits for a moment gets there.
	quick = 1000
	// slack is how long a call may take before the clock follows the real one:
	// what waits for a timer has to see that it is late.
	slack = 50 * time.Millisecond
)

// begin makes the streams those of a script's beginning.
func (m *machine) begin(seed uint64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.epoch.IsZero() {
		m.epoch = time.Now()
	}
	m.drawn = draws{}
	for s := range m.rngs {
		m.rngs[s] = rng{mix(seed ^ uint64(s+1)<<32)}
	}
}

// enter begins a call at a moment after the epoch.
func (m *machine) enter(after time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.at, m.began, m.calls = m.epoch.Add(after), time.Now(), 0
	m.on.Store(true)
}

// leave ends it, and returns what was drawn since the script began.
func (m *machine) leave() draws {
	m.on.Store(false)
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.drawn
}

func (m *machine) now() time.Time {
	if !m.on.Load() {
		return time.Now()
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.calls++
	m.drawn[clock]++
	d := time.Duration(m.calls) * time.Microsecond
	if m.calls > quick {
		d += time.Duration(m.calls-quick) * time.Millisecond
	}
	if real := time.Since(m.began); real > slack {
		d += real
	}
	return m.at.Add(d)
}

// uint64 returns the next number of a stream; ok is false where the real source
// is to be asked.
func (m *machine) uint64(s source) (n uint64, ok bool) {
	if !m.on.Load() {
		return 0, false
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.drawn[s] += 8
	return m.rngs[s].next(), true
}

func (m *machine) read(p []byte) bool {
	if !m.on.Load() {
		return false
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	at := m.drawn[entropy] // a byte is the same whatever the reads before it took
	m.drawn[entropy] += len(p)
	for i := range p {
		p[i] = byte(mix(m.rngs[entropy].s+uint64(at+i)) >> 24)
	}
	return true
}

// Now, Since and Until stand for those of package time.
func Now() time.Time                  { return theMachine.now() }
func Since(t time.Time) time.Duration { return theMachine.now().Sub(t) }
func Until(t time.Time) time.Duration { return t.Sub(theMachine.now()) }

// Entropy stands for crypto/rand.Reader.
var Entropy io.Reader = entropyReader{}

type entropyReader struct{}

func (entropyReader) Read(p []byte) (int, error) {
	if theMachine.read(p) {
		return len(p), nil
	}
	return crand.Read(p)
}

// ReadEntropy stands for crypto/rand.Read, and EntropyText for its Text.
func ReadEntropy(p []byte) (int, error) { return Entropy.Read(p) }

func EntropyText() string {
	const base32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
	b := make([]byte, 26)
	Entropy.Read(b)
	for i := range b {
		b[i] = base32[b[i]%32]
	}
	return string(b)
}

// Random and RandomV2 stand for the functions of math/rand and math/rand/v2.
var (
	Random   = mrand.New(sourceV1{})
	RandomV2 = mrand2.New(sourceV2{})
)

type sourceV1 struct{}

func (sourceV1) Seed(int64)     {}
func (s sourceV1) Int63() int64 { return int64(s.Uint64() >> 1) }
func (sourceV1) Uint64() uint64 {
	if n, ok := theMachine.uint64(random); ok {
		return n
	}
	return mrand.Uint64()
}

type sourceV2 struct{}

func (sourceV2) Uint64() uint64 {
	if n, ok := theMachine.uint64(randomV2); ok {
		return n
	}
	return mrand2.Uint64()
}
