package sign

import "strings"

// byCall are the rules for what a line calls, by the beginning of its symbol.
var byCall = []struct{ call, rule string }{
	{"runtime.growslice", "slicesize"},
	{"runtime.mapassign", "mapsize"},
	{"internal/runtime/maps.", "mapsize"},
	{"runtime.makemap", "scratch"},
	{"runtime.makeslice", "scratch"},
	{"runtime.newobject", "scratchfield"},
	{"runtime.mallocgc", "scratchfield"}, // what compilers since go1.27 call for small objects, one function for each size
	{"runtime.convT", "boxing"},
	{"runtime.concatstring", "tokenbuild"},
	{"runtime.makechan", "itemalloc"},
	{"fmt.Errorf", "staticerror"},
	{"fmt.", "sprintf"},
	{"io.ReadAll", "readall"},
	{"regexp.Compile", "regexpcompile"},
	{"regexp.MustCompile", "regexpcompile"},
	{"encoding/json.", "jsonfields"},
	{"encoding/binary.", "binaryscalar"},
	{"math/big.", "bigrat"},
	{"time.After", "timeafter"},
	{"time.NewTimer", "timeafter"},
	{"strings.Split", "splitcut"},
	{"bytes.Split", "splitcut"},
	{"runtime.GC", "gcrequest"},
	{"runtime.ReadMemStats", "readmemstats"},
	{"runtime.Stack", "stackall"},
	{"runtime/debug.FreeOSMemory", "freememory"},
}

// OfCall returns the entry of the catalogue that a call stands for, by the symbol
// that is called.
func OfCall(symbol string) (rule string, ok bool) {
	for _, b := range byCall {
		if strings.HasPrefix(symbol, b.call) {
			return b.rule, true
		}
	}
	return "", false
}
