package leads

import (
	"strings"

	"github.com/pawl-dev/pawl/internal/explain/sign"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/read/profile"
)

// A practice is what helps against a cause of cost.
type practice struct {
	lever string
	sign  string // of package sign, whose lever it is where lever is empty
	entry string // of the catalogue, where sign.OfCall names none
}

func (p practice) try() string {
	if p.lever != "" {
		return p.lever
	}
	s, _ := sign.Of(profile.KindCPU, p.sign)
	return s.Lever
}

const (
	appendForm = "offer an Append form (append to a buffer of the caller, which is used again), and return the input as it is where nothing changes"
	atOnce     = "find the next byte that matters (IndexByte) and append all before it at once; append to a local slice rather than through a method"
	walk       = "walk along with IndexByte or Cut instead of making all pieces, and look first whether there is anything to do"
	reuse      = "use memory again: a field of the receiver, a parameter of the caller, or a sync.Pool from 16 bytes on"
	lookups    = "few keys: a switch or a short slice; small numbers: an array; look a key up once and keep a pointer to the value; m[string(b)] makes no string"
	filling    = "make it for the number of its entries, or clear it and use it again; a slice does where keys are small numbers or already sorted"
	runes      = "treat bytes below 0x80 first, without decoding; decode only what is left"
	fewer      = "call it for many at once, or keep its result for as long as what goes in is the same"
	loops      = "fewer rounds, or less in each: an index in place of a search, work that stays the same in front of the loop, several bytes at a time"
	barriers   = "write fewer pointers while the collector marks: indexes instead of pointers, and fields that change together in one value"
)

// byCall is what helps where a line calls something, by the beginning of its
// symbol. The first that fits counts.
var byCall = []struct {
	call string
	practice
}{
	{"strings.(*Builder).Write", practice{lever: atOnce}},
	{"strings.(*Builder).", practice{lever: appendForm}},
	{"bytes.(*Buffer).Write", practice{lever: atOnce}},
	{"bytes.(*Buffer).", practice{lever: appendForm}},
	{"strings.Split", practice{lever: walk}},
	{"bytes.Split", practice{lever: walk}},
	{"strings.Fields", practice{lever: walk}},
	{"strings.Join", practice{lever: appendForm}},
	{"strings.Repl", practice{lever: appendForm}},
	{"strings.To", practice{lever: appendForm}},
	{"strings.Map", practice{lever: appendForm}},
	{"fmt.Errorf", practice{lever: "a variable for an error with a fixed text; a type whose Error method formats when somebody asks"}},
	{"errors.New", practice{lever: "a package variable for an error with a fixed text"}},
	{"fmt.", practice{lever: "append with strconv to a buffer that is used again, and only on the branch where somebody reads the text"}},
	{"strconv.Parse", practice{lever: "where the format is one's own, a binary one is read ten to sixty times as fast", entry: "textformat"}},
	{"time.Parse", practice{lever: "where the format is one's own, a binary one is read ten to sixty times as fast", entry: "textformat"}},
	{"strconv.", practice{lever: "the Append form (strconv.AppendInt) writes to a buffer that is there already"}},
	{"encoding/json.", practice{lever: "a struct with the members that are read instead of any, a Decoder on the stream, and methods of its own for the type that is met most"}},
	{"encoding/binary.Write", practice{lever: "the Put and Append methods of the byte order write without an interface"}},
	{"encoding/binary.Read", practice{lever: "the methods of the byte order (Uint32) read without an interface"}},
	{"regexp.", practice{lever: "look for text that every match has (strings.Contains, HasPrefix) first; write a simple pattern as code", entry: "regexpliteral"}},
	{"reflect.", practice{lever: "look a type up once and keep what was found by its reflect.Type; a type switch for the common types in front", entry: "fieldbyname"}},
	{"sort.", practice{lever: "slices.SortFunc compares typed values without an interface; what changes little can be kept sorted"}},
	{"context.WithValue", practice{lever: "hand values down as parameters, or all of them in one struct under one key", entry: "contextbag"}},
	{"context.", practice{lever: "ask once and keep the answer: Value walks up the chain of contexts, one step for each", entry: "contextbag"}},
	{"net/http.(*Request).WithContext", practice{lever: "it copies the request: do it once for all values, and only where there is one to add", entry: "contextbag"}},
	{"net/http.Header.", practice{lever: "a header is a map from text to slices: set it once for all requests where its value is the same"}},
	{"time.Now", practice{lever: "read the clock once for a batch, and hand the time down"}},
	{"time.After", practice{lever: "one timer in front of the loop, set anew each time"}},
	{"time.NewTimer", practice{lever: "one timer that is set anew"}},
	{"sync.(*Map).", practice{lever: "where it is mostly read, a plain map behind an atomic pointer, copied when it changes: no key goes into an interface"}},
	{"sync.(*Pool).", practice{lever: "a pool pays for objects from 16 bytes on; better still is a local variable, or a field of who uses it"}},
	{"sync.(*WaitGroup).", practice{sign: "goroutines"}},
	{"sync.", practice{sign: "lock"}},
	{"internal/sync.", practice{sign: "lock"}},
	{"sync/atomic.", practice{lever: "count in a local variable and add the sum at the end; counters of several cores each on a cache line of its own", entry: "falsesharing"}},
	{"math/big.", practice{lever: "declare numbers in front of the loop: z.Add(x, y) uses the memory of z again"}},
	{"crypto/", practice{lever: "keep the object and reset it, append results to a buffer of one's own (Sum(buf[:0])), and hand in many bytes at once"}},
	{"hash/", practice{lever: "keep the object and reset it, append results to a buffer of one's own (Sum(buf[:0])), and hand in many bytes at once"}},
	{"unicode", practice{lever: runes}},
	{"io.ReadAll", practice{lever: "read into a buffer of known size, or pass the stream on"}},
	{"bufio.(*Reader).ReadString", practice{lever: "ReadSlice or a Scanner gives bytes that are not copied, valid until the next read"}},
	{"io.", practice{sign: "syscall"}},
	{"os.", practice{sign: "syscall"}},
	{"net.", practice{sign: "syscall"}},
	{"syscall.", practice{sign: "syscall"}},
	{"internal/poll.", practice{sign: "syscall"}},
	{"runtime.cgocall", practice{sign: "cgo"}},
	{"runtime.deferproc", practice{sign: "defer"}},
	{"runtime.mapaccess", practice{lever: lookups}},
	{"runtime.mapIter", practice{lever: "keep a slice beside the map for walking through it"}},
	{"runtime.mapassign", practice{lever: filling}},
	{"runtime.makemap", practice{lever: filling}},
	{"internal/runtime/maps.", practice{lever: lookups}},
	{"runtime.duffcopy", practice{lever: "a pointer to the large value, or an index of the slice that holds it, instead of a copy", entry: "bigcopy"}},
	{"runtime.memmove", practice{lever: "copy less: a pointer to a large value instead of the value, the slice instead of a copy of it", entry: "bigcopy"}},
	{"runtime.memclr", practice{lever: "memory that is overwritten anyway can be used again instead of being made anew"}},
	{"runtime.typedslicecopy", practice{lever: barriers}},
	{"runtime.wbZero", practice{lever: barriers}},
	{"gcWriteBarrier", practice{lever: barriers}},
	{"runtime.gcWriteBarrier", practice{lever: barriers}},
	{"runtime.chan", practice{sign: "channel"}},
	{"runtime.selectgo", practice{sign: "select"}},
	{"runtime.newproc", practice{sign: "goroutines"}},
	{"runtime.morestack", practice{sign: "stackgrowth"}},
	{"runtime.growslice", practice{lever: "make the slice for what will be in it, or take one from the caller that is used again"}},
	{"runtime.slicebytetostring", practice{lever: "keep one of both forms; a map index m[string(b)], a comparison and a switch make no copy", entry: "unsafestring"}},
	{"runtime.stringtoslicebyte", practice{lever: "keep one of both forms; append(b, s...), copy(b, s) and range []byte(s) make no copy", entry: "unsafestring"}},
	{"runtime.concatstring", practice{lever: "one + of all parts, a strings.Builder with room for the result, or append to a buffer that is used again"}},
	{"runtime.convT", practice{lever: "a typed parameter or a type parameter; pointers, small numbers and constants go into an interface without an allocation"}},
	{"runtime.mallocgc", practice{lever: reuse}},
	{"runtime.newobject", practice{lever: reuse}},
	{"runtime.makeslice", practice{lever: reuse}},
}

// ofCall returns what helps where a function is called.
func ofCall(symbol string) (practice, bool) {
	for _, b := range byCall {
		if strings.HasPrefix(symbol, b.call) {
			return b.practice, true
		}
	}
	return practice{}, false
}

// called returns the practice for a function that must be in the table.
func called(symbol string) practice {
	p, _ := ofCall(symbol)
	return p
}

// ofReason is what helps where a line costs for a reason.
var ofReason = map[model.ReasonKind]practice{
	model.ReasonAppend:     called("runtime.growslice"),
	model.ReasonMap:        called("runtime.mapaccess"),
	model.ReasonConversion: called("runtime.slicebytetostring"),
	model.ReasonConcat:     called("runtime.concatstring"),
	model.ReasonMake:       called("runtime.makeslice"),
	model.ReasonNew:        called("runtime.newobject"),
	model.ReasonBoxing:     called("runtime.convT"),
	model.ReasonGo:         called("runtime.newproc"),
	model.ReasonChannel:    called("runtime.chan"),
	model.ReasonLock:       called("sync."),
	model.ReasonRune:       called("unicode"),
	model.ReasonClosure:    {lever: "hand it its values as parameters, or make it once and keep it: a func that captures, and a method value, is an object each time"},
	model.ReasonBounds:     {lever: "slice to the length of the loop in front of it (s = s[:n]), range over the slice, or index an array with a number that cannot be too large"},
	model.ReasonBytewise:   {lever: atOnce},
	model.ReasonLibrary:    {lever: fewer},
	model.ReasonOutside:    {lever: fewer},
	model.ReasonLoop:       {lever: loops},
	model.ReasonHot:        {lever: "a table in place of a chain of comparisons, work that is done once for many calls, and the usual case first"},
	model.ReasonEscape:     {lever: reuse},
	model.ReasonUnknown:    {lever: reuse},
}
