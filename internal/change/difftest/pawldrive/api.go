package pawldrive

// A Func is a changed function, as the generated code registers it from an
// init function of its package.
type Func struct {
	ID   int
	Name string // import path and name: "example.com/m.(*T).F"
	// Params names the arguments in the order in which Enter gets them, the
	// receiver, if there is one, first.
	Params   []string
	Results  int
	Receiver bool // whether argument 0 is a receiver
	// Variadic says that the last argument is the slice of a ... parameter.
	Variadic bool
	// NewFields names, per type as reflect.Type.String prints it without a
	// pointer and without type arguments ("m.T"), the fields that only the
	// candidate has. They are not compared.
	NewFields map[string][]string
	// Like is a function with the same arguments, the receiver counted, and Cand and
	// Base call either body, where inputs may be made up for want of recorded ones;
	// nil where they may not.
	Like       any
	Cand, Base func([]any) []any
	States     []State
	// Methods names exported methods of the receiver's type, and Makers are
	// functions that return one, which touch nothing outside the program.
	Methods []string
	Makers  []any
	// Beside are functions that write a package variable which this one reads, and
	// touch nothing outside the program either.
	Beside []any
	// Writers are the arguments that any io.Writer may be.
	Writers []int
	// Readers are the arguments that any io.Reader may be.
	Readers []int
	// Anys are the arguments that any value may be.
	Anys []int
	// Numbers and Texts are the constants of all changed functions of the package,
	// in either version: an input that the code asks for is not found by chance.
	Numbers []int64
	Texts   []string
	Floats  []float64
}

// A State is memory of the candidate that the base does not have and that lives
// across calls, as the generated code registers it.
type State struct {
	Name string // as it shall be reported: "bufPool", "Conn.scratch"
	Kind string // as it shall be reported: "package variable", "field", "pool", "map", "closure"
	// Var points to the package variable, nil for a field.
	Var any
	// Field names the field in the receiver's struct, "" for a variable.
	Field string
}

// As returns v as a T, and the zero T for the nil that an interface argument
// turns into on its way through a []any.
func As[T any](v any) T {
	t, _ := v.(T)
	return t
}
