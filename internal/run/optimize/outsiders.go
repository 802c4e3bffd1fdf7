package optimize

import (
	"context"
	"slices"
	"time"

	"github.com/pawl-dev/pawl/internal/change/propose/outside"
	"github.com/pawl-dev/pawl/internal/keep/store"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/run/optimize/state"
)

// Outsiders are whom a run asks for changes beside its own, and how much.
type Outsiders struct {
	Commands []outside.Command
	Limit    outside.Limit
}

// mostAtOnce is how many proposers are at work at a time. Mostly they wait for
// somebody else's machine.
const mostAtOnce = 4

// Outsiders asks the proposers. Their calls go on beside everything else, each
// in a goroutine that does nothing but call. All else is done by who runs the loop:
// begin, take and end are called between two changes.
type outsiders struct {
	Outsiders
	run *model.Run
	log *ledger

	asked   map[string]bool // questions that were answered, or are being asked
	round   int
	calls   int        // begun, in all
	waiting []question // of this round
	queue   []proposal // that came and were not tried yet

	refused map[string][]outside.Tried // proposals that came to be no attempts, by function
	seen    map[string]*state.State    // the version that the text of a proposal was read on
	tested  []twin                     // what was built of proposals

	cancel  context.CancelFunc
	ctx     context.Context // of the calls; nil before begin
	arrived chan answered
	pending int
}

// A question is what one proposer is asked about one function.
type question struct {
	outside.Command
	fn      string // its symbol
	key     string // what makes it another one
	request outside.Request
}

// A proposal is a change from outside that waits to be tried.
type proposal struct {
	model.Proposal
	fn     string // that was asked about
	before bool   // it came before the run went on, and may have been tried then
}

// An answered is a question with what came of it.
type answered struct {
	question
	outside.Answer
	err     error
	seconds float64
}

func newOutsiders(o Outsiders, run *model.Run, log *ledger) *outsiders {
	return &outsiders{
		Outsiders: o, run: run, log: log,
		asked: make(map[string]bool), refused: make(map[string][]outside.Tried), seen: make(map[string]*state.State),
	}
}

// resume takes over what a run was told before: what was answered is not asked
// again, and what was not tried then waits.
func (o *outsiders) resume(past *store.Past) {
	for _, a := range past.Asked {
		if o.run.Proposers == nil {
			o.run.Proposers = new(model.Proposers)
		}
		o.run.Proposers.Add(a.Call)
		o.asked[a.Question] = a.Error == ""
		o.round, o.calls = max(o.round, a.Round), o.calls+1
		for _, p := range a.Answers {
			o.queue = append(o.queue, proposal{p, a.Func, true})
		}
	}
}

// begin makes the calls that follow end with ctx, or with end.
func (o *outsiders) begin(ctx context.Context) {
	o.ctx, o.cancel = context.WithCancel(ctx)
	o.arrived = make(chan answered, mostAtOnce)
}

// end cancels what is under way, and waits for it.
func (o *outsiders) end() {
	o.cancel()
	for ; o.pending > 0; o.pending-- {
		<-o.arrived
	}
}

// perRound is how many functions a round is about: what calls there are is for
// all rounds, since a later one knows what was refuted.
func (o *outsiders) perRound() int {
	return max(1, o.Limit.Calls/o.Limit.Rounds/max(1, len(o.Commands)))
}

// may reports whether another call may be made.
func (o *outsiders) may() bool {
	spent := o.run.Proposers != nil && o.Limit.Cost > 0 && o.run.Proposers.Cost >= o.Limit.Cost
	return len(o.Commands) > 0 && o.calls < o.Limit.Calls && !spent
}

// ask begins a round.
func (o *outsiders) ask(qs []question) {
	o.round++
	o.waiting = qs
	o.launch()
}

// launch begins as many of the waiting calls as there may be at once.
func (o *outsiders) launch() {
	for ; len(o.waiting) > 0 && o.may() && o.pending < mostAtOnce; o.waiting = o.waiting[1:] {
		q := o.waiting[0]
		o.asked[q.key] = true
		o.calls++
		o.pending++
		go func() {
			from := time.Now()
			a, err := q.Ask(o.ctx, q.request, o.Limit.Time)
			o.arrived <- answered{q, a, err, time.Since(from).Seconds()}
		}()
	}
	if !o.may() {
		o.waiting = nil
	}
}

// take takes in the answers that have arrived.
func (o *outsiders) take() error {
	for {
		select {
		case a := <-o.arrived:
			if err := o.in(a); err != nil {
				return err
			}
		default:
			return nil
		}
	}
}

// wait takes in the next answer, if one arrives in that time.
func (o *outsiders) wait(limit time.Duration) error {
	select {
	case a := <-o.arrived:
		return o.in(a)
	case <-time.After(limit):
	case <-o.ctx.Done():
	}
	return nil
}

// in takes in one answer, and begins the next call. A call that was cut off with
// the run is as if it had not been made.
func (o *outsiders) in(a answered) error {
	o.pending--
	if o.ctx.Err() != nil {
		return nil
	}
	c := model.Call{
		Command: a.Line, Func: a.fn, Question: a.key, Round: a.request.Round, Seconds: a.seconds,
		Proposals: len(a.Proposals), Cost: a.Cost,
	}
	if a.err != nil {
		c.Error = a.err.Error()
		o.log.watch.Line("no proposals for " + a.fn + ": " + c.Error)
	}
	if err := o.log.asked(o.ctx, c, a.Proposals); err != nil {
		return err
	}
	for _, p := range a.Proposals {
		o.queue = append(o.queue, proposal{p, a.fn, false})
	}
	o.launch()
	return nil
}

// left is how many ideas there may be yet.
func (o *outsiders) left() int { return len(o.queue) + o.pending }

// next takes a proposal from the queue: the first that is about costlier code
// than the next of pawl's own changes, if there is one.
func (o *outsiders) next(own []model.Change) (p proposal, ok bool) {
	rank := func(of func(model.Target) bool) int {
		if i := slices.IndexFunc(o.run.Targets, of); i >= 0 {
			return i
		}
		return len(o.run.Targets)
	}
	best, at := len(o.run.Targets)+1, -1
	if len(own) > 0 {
		best = rank(func(t model.Target) bool { return len(own[0].Targets) > 0 && t.ID == own[0].Targets[0].ID })
	}
	for i, q := range o.queue {
		if r := rank(func(t model.Target) bool { return t.Func == q.fn }); r < best {
			best, at = r, i
		}
	}
	if at < 0 {
		return p, false
	}
	p = o.queue[at]
	o.queue = slices.Delete(o.queue, at, at+1)
	return p, true
}

// back puts a proposal back that there was no time for.
func (o *outsiders) back(p proposal) { o.queue = slices.Insert(o.queue, 0, p) }
