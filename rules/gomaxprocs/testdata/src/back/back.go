// Package back gives the number back to the runtime.
package back

import "runtime"

func Burst(work func()) {
	runtime.GOMAXPROCS(runtime.NumCPU())
	work()
	runtime.SetDefaultGOMAXPROCS()
}
