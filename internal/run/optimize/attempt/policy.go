package attempt

import (
	"context"
	"slices"

	"github.com/pawl-dev/pawl/internal/model"
)

// A check looks at one thing of a change. It returns why the change is not
// kept, or nil; the error is for what prevents an answer.
type check struct {
	name string
	run  func(*Attempt, context.Context) (*refusal, error)
}

// A Policy says which checks a change has to pass, in their order, and what is
// made of what they leave open.
type Policy struct {
	checks []check // with the tree and the machine to itself
	// What is shown of a change that has passed the checks, while the run goes on:
	// first what the tree has to hold it for, and then what may run beside the
	// duets of the next one.
	inTree, beside []check
	last           []check                     // and what needs the machine to itself again, once all else is shown
	open           []reason                    // that refute nothing: the change stays undecided
	lets           []model.SuspicionKind       // that reading the change shows and does not refuse
	judges         []model.Plan                // the benchmarks that judge it; nil for that of its first target
	others         []model.Plan                // further benchmarks that must not pay for it; nil for those whose profiles show its files
	covers         []covered                   // what each benchmark executes of it
	profiled       bool                        // profiles say what runs in timed loops, since nobody would cheat
	alone          bool                        // the run is about this change alone
	trades         bool                        // a user may allow that it loses something for what it gains
	passes         func(context.Context) error // makes sure, once, that the base passes its tests; nil where it does
	sample         Sampler                     // finds out how the benchmarks are sampled; nil where that is known
}

// A Sampler finds out how the benchmarks that judge a change, and the others, are
// to be sampled. Those that fail are left out.
type Sampler func(ctx context.Context) (judges, others []model.Plan, err error)

// unknown are the reasons that refute no change, under either policy.
var unknown = []reason{byChance, undecided, uncompared, unsteady, worthUnknown}

// Own is the policy for pawl's own changes. They have obligations, and most come
// to nothing: tests are run, and behaviour is looked at, when one is about to be kept. Of the state
// that they add all is shown and nothing refused: what bounds it is proven.
//
// What refutes most comes first: of those that are to save allocations the count does, which needs no
// notes, and of the others the compiler.
func Own(c model.Change) Policy {
	notes := []check{{"the compiler's notes", (*Attempt).compiler}}
	count := []check{
		{"build", (*Attempt).builds},
		{"other code than without it", (*Attempt).differs},
		{"vet", (*Attempt).vetted},
		{"allocations that it aimed at", (*Attempt).countsBuilding},
	}
	first, then := notes, count
	if saves(c) {
		first, then = count, notes
	}
	return Policy{
		checks: slices.Concat([]check{
			{"what it may not touch", (*Attempt).frozen},
			{"types", (*Attempt).types},
		}, first, then, []check{
			{"duets", (*Attempt).duets},
			{"allocations of other benchmarks", (*Attempt).countsHold},
			{"benchmarks that fail now and then", (*Attempt).doubt},
		}),
		inTree: []check{
			{"inspection", (*Attempt).inspectBuilding},
			{"builds of what shows its behaviour", (*Attempt).gather},
		},
		beside: []check{
			{"tests", (*Attempt).passes},
			{"tests with the race detector", (*Attempt).race},
			{"behaviour", (*Attempt).behave},
			{"lines that the tests run", (*Attempt).lines},
			{"worth in production", (*Attempt).worth},
		},
		last:     sparing(),
		open:     unknown,
		lets:     shown(),
		profiled: true,
	}
}

// shown is what reading a change of pawl's own shows and does not refuse.
func shown() []model.SuspicionKind { return []model.SuspicionKind{model.SuspectState} }

// sparing are the checks of what is proven, one change or several at once.
func sparing() []check {
	return []check{
		{"other benchmarks", (*Attempt).others},
		{"benchmarks that fail now and then", (*Attempt).doubt},
	}
}

// Stranger is the policy for a change that somebody else made. Nothing is known
// of it: it is read as a whole first, and its behaviour comes before its speed.
// What the compiler does otherwise may be meant, and is a warning. It may do
// something where no benchmark looks, so that the same code refutes nothing.
func Stranger(r Reached) Policy {
	return Policy{
		checks: []check{
			{"inspection", (*Attempt).inspect},
			{"types", (*Attempt).types},
			{"build", (*Attempt).builds},
			{"other code than without it", (*Attempt).differs},
			{"vet", (*Attempt).vetted},
			{"tests that it brings", (*Attempt).ownTests},
			{"tests", (*Attempt).tests},
			{"the compiler's notes", (*Attempt).compilerWarns},
			{"builds of what shows its behaviour", (*Attempt).gather},
			{"tests with the race detector", (*Attempt).race},
			{"behaviour", (*Attempt).behave},
			{"lines that the tests run", (*Attempt).lines},
			{"calibration", (*Attempt).sampled},
			{"duets of all benchmarks that run it", (*Attempt).duetsOfAll},
			{"peak of the heap", (*Attempt).heap},
			{"other benchmarks", (*Attempt).others},
			{"benchmarks that fail now and then", (*Attempt).doubt},
			{"worth in production", (*Attempt).worth},
		},
		open:   append(slices.Clone(unknown), sameCode),
		judges: r.Plans,
		others: r.Others,
		covers: r.covers,
		alone:  true,
		trades: true,
	}
}

// Given is the policy for a stranger's change that a run is about. Its benchmarks
// are measured when all that needs no measuring has let it through. Most changes pass the tests:
// whether the base does, which it must, is asked by passes, and only where one fails.
func Given(r Reached, sample Sampler, passes func(context.Context) error) Policy {
	p := Stranger(r)
	p.sample, p.passes = sample, passes
	return p
}

// Proposed is the policy for a change that somebody else made in a run that
// tries many. It is that of a stranger, and one benchmark judges it, as it does
// pawl's own: that of its target where it runs the change. The others guard.
func Proposed(r Reached, target model.Benchmark) Policy {
	p := Stranger(r)
	p.alone = false
	at := max(0, slices.IndexFunc(r.Plans, func(q model.Plan) bool { return q.Benchmark == target }))
	p.judges = r.Plans[at : at+1]
	p.others = slices.Concat(r.Plans[:at], r.Plans[at+1:], r.Others[:min(len(r.Others), MaxOthers)])
	return p
}

// EndsRun reports whether an error that leaves a change untried ends the run.
func (p Policy) EndsRun() bool { return p.alone }

// A reason is why a change is not kept.
type reason int

const (
	failed       reason = iota // a check found something
	byChance                   // a check failed, and fails without the change, too
	sameCode                   // the benchmarks are the same program with and without it
	stillThere                 // the allocation that it aimed at is still there
	refuted                    // the duets
	undecided                  // the duets were not enough
	moreMemory                 // its cost moved to memory
	othersPay                  // its cost moved to another benchmark
	traded                     // a figure got worse, and another is better, or may be
	uncompared                 // nothing shows that it behaves as before
	unsteady                   // a benchmark failed too often to keep it, too rarely to refute it
	worthless                  // it saves too little in production
	worthUnknown               // what it saves in production is not known
)

// A refusal ends an attempt.
type refusal struct {
	why  reason
	text string
}

// outcome says what becomes of a change that is refused.
func (p Policy) outcome(r refusal) model.Outcome {
	if slices.Contains(p.open, r.why) {
		return model.Unsettled
	}
	return model.RolledBack
}
