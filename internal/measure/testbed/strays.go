package testbed

// markName is the variable that marks the processes of one work directory. It does
// not begin with PAWL_, since what does is kept from the programs that are run.
const markName = "PAWLWORK"

// mark is the entry in the environment of every process that is started on the
// copy in the work directory. What it starts inherits it, unless it takes pains.
func mark(work string) string { return markName + "=" + work }
