package score

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
)

// classes are the words of expected_verdict, and what they accept. A fix that is
// good may be kept on the condition that a person agrees to what it changes
// besides: that is for the tool to see and for the person to say.
var classes = map[string][]model.ScoreVerdict{
	"KEEP":         {model.ScoreKept, model.ScoreIfAllowed},
	"REJECT":       {model.ScoreRefused, model.ScoreLowValue, model.ScoreWorse, model.ScoreNoEffect, model.ScoreUndecided, model.ScoreNotCovered, model.ScoreNoBenchmark},
	"UNDECIDED":    {model.ScoreUndecided, model.ScoreNotCovered, model.ScoreNoBenchmark, model.ScoreNoEffect},
	"INCONCLUSIVE": {model.ScoreUndecided, model.ScoreNotCovered, model.ScoreNoBenchmark, model.ScoreNoEffect},
}

// acceptable reads the acceptable verdicts: verdicts or classes with commas or |
// between them, or the class that the expected verdict begins with.
func acceptable(cell, expected string) ([]model.ScoreVerdict, error) {
	if cell == "" {
		word, _, _ := strings.Cut(expected, " ")
		set, ok := classes[strings.ToUpper(strings.Trim(word, "(),;:"))]
		if !ok {
			return nil, fmt.Errorf("expected_verdict %q does not begin with KEEP, REJECT, INCONCLUSIVE or UNDECIDED", expected)
		}
		return set, nil
	}
	var all []model.ScoreVerdict
	for word := range strings.FieldsFuncSeq(cell, func(r rune) bool { return r == ',' || r == '|' || r == ';' }) {
		word = strings.TrimSpace(word)
		if set, ok := classes[strings.ToUpper(word)]; ok {
			all = append(all, set...)
			continue
		}
		v := model.ScoreVerdict(strings.ToLower(strings.ReplaceAll(word, "_", " ")))
		if !slices.Contains(model.ScoreVerdicts(), v) {
			return nil, fmt.Errorf("acceptable_verdicts: %q is none of KEEP, REJECT, INCONCLUSIVE, %s", word, wordsOf(model.ScoreVerdicts()))
		}
		all = append(all, v)
	}
	return all, nil
}

func wordsOf(vs []model.ScoreVerdict) string {
	words := make([]string, len(vs))
	for i, v := range vs {
		words[i] = string(v)
	}
	return strings.Join(words, ", ")
}

func verdictOf(a model.Attempt) model.ScoreVerdict {
	if a.Outcome.Kept() {
		return model.ScoreKept
	}
	// A reason names the benchmark first where there are several.
	if a.Unjudgeable() {
		return model.ScoreNotCovered
	}
	if a.Outcome == model.Unsettled {
		return model.ScoreUndecided
	}
	for _, c := range a.Checks {
		if !c.OK && c.Skipped == "" {
			if c.Name == "worth" {
				return model.ScoreLowValue
			}
			return model.ScoreRefused
		}
	}
	switch {
	case slices.ContainsFunc(a.Verdicts, func(v model.Verdict) bool { return v.Answer == model.Slower }), strings.Contains(a.Reason, "allocates more: "):
		return model.ScoreWorse
	case len(a.Verdicts) > 0 && !slices.ContainsFunc(a.Verdicts, func(v model.Verdict) bool { return v.Answer != model.NoEffect }):
		return model.ScoreNoEffect
	}
	return model.ScoreUndecided
}
