package model

// KindProposal is the kind of a change that an outside proposer made.
const KindProposal = "proposal"

// Proposers is what outside proposers were asked, and what became of the proposals
// that did not come to be attempts.
type Proposers struct {
	Calls []Call  `json:"calls"`
	Cost  float64 `json:"cost,omitempty"` // of all calls, as the proposers say, in a unit of their own
	Came  int     `json:"came"`           // proposals
	Equal int     `json:"equal"`          // those that are another one again, by their text or by what they compile to
	Unfit int     `json:"unfit"`          // those that do not apply to the version as it was then
	Known int     `json:"known"`          // those that an earlier run has refuted
}

// A Call is one question to an outside proposer.
type Call struct {
	Command   string  `json:"command"`
	Func      string  `json:"func"`     // symbol of the function that was asked about
	Question  string  `json:"question"` // hash of what makes it another question
	Round     int     `json:"round"`    // from 1
	Seconds   float64 `json:"seconds"`
	Proposals int     `json:"proposals"`
	Cost      float64 `json:"cost,omitempty"`
	Error     string  `json:"error,omitempty"` // why there is no answer
}

// A Proposal is a change that an outside proposer has answered with.
type Proposal struct {
	Diff   string  `json:"diff"`
	Reason string  `json:"reason,omitempty"` // why it should help, in the proposer's words
	Cost   float64 `json:"cost,omitempty"`   // of making it, in the proposer's own unit
}

// Add takes in a call.
func (p *Proposers) Add(c Call) {
	p.Calls = append(p.Calls, c)
	p.Cost += c.Cost
	p.Came += c.Proposals
}
