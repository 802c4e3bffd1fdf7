// Package observed shows what a run was seen to do while it was profiled.
package observed
