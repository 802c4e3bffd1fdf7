package model

// A Lead is where a person, or an agent, may look for a gain on a line that no
// transformation fits. It claims nothing: nobody has tried it.
type Lead struct {
	Kind LeadKind `json:"kind"`
	Seen string   `json:"seen,omitempty"` // what it starts from: a note of the compiler, a call in the profile, a finding
	Try  string   `json:"try"`
	Rule string   `json:"rule,omitempty"` // the entry of the catalogue that knows more
}

// A LeadKind says where a lead comes from.
type LeadKind string

// The kinds of leads.
const (
	LeadCompiler LeadKind = "compiler" // what the compiler says about the line, or of its function
	LeadRule     LeadKind = "rule"     // a rule that reports the line, or the one that is nearest
	LeadPractice LeadKind = "practice" // what helps where this is the cause
)
