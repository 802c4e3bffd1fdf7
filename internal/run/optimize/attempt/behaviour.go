package attempt

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/change/difftest"
	"github.com/pawl-dev/pawl/internal/change/guard"
	"github.com/pawl-dev/pawl/internal/model"
)

// inspect reads a change before anything of it runs, and refuses what looks as
// if it wins the benchmark and not the work.
func (t *subject) inspect(ctx context.Context) (*refusal, error) {
	start := time.Now()
	in, err := t.read(ctx)
	if err != nil {
		return nil, err
	}
	t.Suspicions, t.States = slices.Concat(in.Suspicions, in.APIs), in.States
	t.Warnings = append(t.Warnings, in.Warnings...)
	if in.Incomplete != "" {
		t.Uncompared = append(t.Uncompared, "the change could not be read as a whole: "+in.Incomplete)
	}
	c := inspected(in.Refused(t.allowed()))
	c.Seconds = time.Since(start).Seconds()
	return t.add(c), nil
}

// allowed lists what the user and the policy let through.
func (t *subject) allowed() []model.SuspicionKind { return slices.Concat(t.p.Allow, t.policy.lets) }

// read reads what apply has seen of a change, whatever the tree holds now.
func (t *subject) read(ctx context.Context) (*guard.Inspected, error) {
	return guard.Inspect(ctx, guard.Change{
		Dir: t.m.Snap.ModuleDir, Root: t.m.Snap.Dir, Env: t.m.Go.LoaderEnv(),
		Before: t.before, After: t.After, Judges: t.p.judged(), SetUp: t.policy.setUp, Timed: t.timed, Allow: t.allowed(),
	})
}

// inspected is the check that says what was refused, by the name of what it
// is: the ground that stays frozen, the exported API, or anything else.
func inspected(refused []model.Suspicion) model.Check {
	if len(refused) == 0 {
		return model.Check{Name: "inspection", OK: true}
	}
	name := "refused"
	switch refused[0].Kind {
	case model.SuspectFrozen, model.SuspectDirective:
		name = "frozen"
	case model.SuspectAPI:
		name = "api"
	}
	lines := make([]string, len(refused))
	for i, x := range refused {
		lines[i] = fmt.Sprintf("%s: %s: %s", x.At, x.Kind, x.Detail)
	}
	return model.Check{Name: name, Detail: strings.Join(lines, "\n")}
}

// judged lists the directories of the benchmarked packages, relative to the root.
func (p *Prover) judged() []string {
	var out []string
	for _, name := range p.M.Names() {
		if rel, err := filepath.Rel(p.M.Snap.Dir, p.M.Pkgs[name].Dir); err == nil {
			out = append(out, filepath.ToSlash(rel))
		}
	}
	return out
}

// What driving one change may take: a part of what is left of the run's budget for
// trying, but never less than what a proof takes, for one package of tests and for each
// further one. In a search that is a quarter of what is left to prove it at most, as others are to
// be proven in that, too, but five seconds where there are so many. In less, what was not driven
// stays open.
const (
	driveShare = 0.2
	driveLeast = 20 * time.Second
	driveMore  = 5 * time.Second
	driveOf    = 4
	driveFew   = 5 * time.Second
	driveMost  = time.Minute
	// driveStretch is how much longer it may take where others hold it up, in half
	// of what is left at most.
	driveStretch = 3
	// afterDriving is what a proof takes after it, as part of what is left to prove.
	afterDriving = 0.1
)

// driveTime returns the time for driving one change in the tests of some packages, and
// how long that may take in all, when left and toProve are what is left of the run's budget
// as it begins, and alone whether the run is about this change alone.
func driveTime(left, toProve time.Duration, pkgs int, alone bool) (budget, ceiling time.Duration) {
	toProve -= time.Duration(afterDriving * float64(toProve))
	least := driveLeast + time.Duration(max(0, pkgs-1))*driveMore
	if !alone {
		least = min(least, max(driveFew, toProve/driveOf))
	}
	budget = max(1, min(driveMost, toProve, max(least, time.Duration(driveShare*float64(left))))) // 0 is the default
	return budget, max(budget, min(driveStretch*budget, toProve/2))
}

// behave drives base and candidate of the changed functions side by side, with what gather has built.
func (t *showing) behave(ctx context.Context) (*refusal, error) {
	start := time.Now()
	notes, err := t.drive(ctx)
	if err != nil {
		if OfTheGround(ctx, err) {
			return nil, cmp.Or(ctx.Err(), err)
		}
		notes = []string{err.Error()} // a driver that fails has compared nothing
		t.Uncompared = append(t.Uncompared, notes...)
	}
	c := driven(&t.Attempt, t.p.Allow, notes)
	c.Seconds = time.Since(start).Seconds()
	if r := t.add(c); r != nil {
		return r, nil
	}
	if t.Compared() {
		return t.seesJudges(), nil
	}
	return unseen(t.Attempt, t.p.Allow, c.Skipped), nil
}

// unseen decides about a change where nothing could be compared: what is
// proven may do without, as may what the user lets through. The others stay
// undecided.
func unseen(t model.Attempt, allow []model.SuspicionKind, why string) *refusal {
	assumed := func(o model.Obligation) bool { return o.How != "proven" }
	proven := len(t.Change.Obligations) > 0 && !t.Change.MustDrive && !slices.ContainsFunc(t.Change.Obligations, assumed)
	if proven || slices.Contains(allow, model.SuspectUncompared) {
		return nil
	}
	next := "use -allow uncompared to rely on the tests alone"
	for _, d := range t.Driven {
		if difftest.Uncalled(d) {
			next = "write a test that calls " + d.Func + ", or " + next
			break
		}
	}
	return &refusal{uncompared, fmt.Sprintf("%s was not compared with the base's: %s; %s", BehaviourCheck, why, next)}
}

// drive runs the driver and takes in what it found. The notes say what could
// not be looked at at all.
func (t *showing) drive(ctx context.Context) (notes []string, err error) {
	plan, err := t.proof.driver, t.proof.noDriver
	if err != nil {
		return nil, err
	}
	plan.SetTime(driveTime(t.p.Left(), t.p.ToProve(), len(t.m.Concerned(t.pkgs)), t.policy.alone))
	driven, states, err := plan.Run(ctx)
	if err != nil {
		return nil, fmt.Errorf("driving both versions: %w", err)
	}
	t.Driven = driven
	t.Uncompared = append(t.Uncompared, plan.Notes()...)
	for _, d := range driven {
		for _, u := range d.Uncompared {
			t.Uncompared = append(t.Uncompared, d.Func+": "+u)
		}
	}
	t.States = merge(t.States, states)
	return plan.Notes(), nil
}

// merge joins what reading and running a change say of its new state. Names
// are equal; what only one of them saw stays as it is.
func merge(read, ran []model.State) []model.State {
	out := slices.Clone(read)
	for _, r := range ran {
		i := slices.IndexFunc(out, func(x model.State) bool { return x.Name == r.Name })
		if i < 0 {
			out = append(out, r)
			continue
		}
		x := &out[i]
		x.Retained, x.Instances, x.Grows = r.Retained, r.Instances, r.Grows
		x.Bound = cmp.Or(x.Bound, r.Bound)
	}
	return out
}

// driven turns what the driver found into that check; notes are what it could
// not look at.
func driven(t *model.Attempt, allow []model.SuspicionKind, notes []string) model.Check {
	c := model.Check{Name: BehaviourCheck}
	for _, d := range t.Driven {
		for _, x := range d.Differences {
			if consented(x, allow) {
				t.Uncompared = append(t.Uncompared, fmt.Sprintf("%s: %s differs, which was allowed: %s, not %s", d.Func, x.Where, x.Candidate, x.Base))
			}
		}
		for _, why := range refusedFor(d, allow) {
			c.Detail += fmt.Sprintf("%s: %s\n", d.Func, why)
		}
	}
	for _, st := range t.States {
		if st.Grows && st.Bound == "" && !slices.Contains(allow, model.SuspectState) {
			c.Detail += fmt.Sprintf("%s grows with every new input, and nothing was found that bounds it; -allow state if it is meant to\n", st.Name)
		}
	}
	c.Detail = strings.TrimSuffix(c.Detail, "\n")
	if hint := consentable(t.Driven); hint != "" && c.Detail != "" {
		c.Detail += "\n" + hint
	}
	if c.Detail == "" && !t.Compared() {
		c.Skipped = undriven(t.Driven, notes)
	}
	c.OK = c.Detail == "" && c.Skipped == ""
	return c
}

// refusedFor says for what of a changed function the change is refused.
func refusedFor(d model.Driven, allow []model.SuspicionKind) (out []string) {
	for _, x := range d.Differences {
		if !consented(x, allow) {
			out = append(out, fmt.Sprintf("%s, %s: the base gives %s, the candidate %s", x.Kind, x.Where, x.Base, x.Candidate))
		}
	}
	if why := remembers(d); why != "" && !slices.Contains(allow, model.SuspectState) {
		out = append(out, why)
	}
	return out
}

// consented reports whether the user lets a difference through.
func consented(x model.Difference, allow []model.SuspicionKind) bool {
	k := x.Consent()
	return k != "" && slices.Contains(allow, k)
}

// undriven says that nothing was driven, and why.
func undriven(driven []model.Driven, notes []string) string {
	text := "no changed function could be driven"
	why := slices.Clone(notes)
	for _, d := range driven {
		if d.Skipped != "" && !slices.Contains(why, d.Skipped) {
			why = append(why, d.Skipped)
		}
	}
	if len(driven)+len(notes) == 0 {
		why = []string{"it changes no function that both versions have"}
	}
	return text + ": " + strings.Join(why, "; ")
}
