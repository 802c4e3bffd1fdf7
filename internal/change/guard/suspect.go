package guard

import (
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/words"
)

// What would make a suspicion of a kind acceptable. Kinds that are absent
// here are refused whatever the user says.
var tries = map[model.SuspicionKind]string{
	model.SuspectFrozen:    "bring it as a separate commit first, so that it belongs to the base",
	model.SuspectDirective: "leave it as in the base, or allow it with -allow directive",
	model.SuspectRuntime:   "leave the runtime's settings alone, or allow it with -allow runtime",
	model.SuspectSetup:     "measure what start-up pays for it, and allow it with -allow setup",
	model.SuspectState:     "if the memory is meant to stay, allow it with -allow state",
	model.SuspectSafeguard: "keep what guards it, or allow it with -allow safeguard",
	model.SuspectUnsafe:    "do it with checked code, or allow it with -allow unsafe",
	model.SuspectAPI:       "keep the exported API, or allow it with -allow api",
}

// allowable reports whether -allow may name a kind.
func allowable(k model.SuspicionKind) bool {
	return slices.Contains(model.Allowable(), k)
}

// shorten makes one line of source code, of at most 100 characters.
func shorten(code string) string { return words.Clip(strings.Join(strings.Fields(code), " "), 100) }

func suspect(k model.SuspicionKind, at model.Pos, detail, code string) model.Suspicion {
	return model.Suspicion{Kind: k, At: at, Detail: detail, Code: shorten(code), Try: tries[k]}
}
