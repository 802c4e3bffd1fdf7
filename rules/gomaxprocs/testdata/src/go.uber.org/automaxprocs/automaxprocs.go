// Package automaxprocs stands for the module of that name.
package automaxprocs

import "go.uber.org/automaxprocs/maxprocs"

func init() { maxprocs.Set() }
