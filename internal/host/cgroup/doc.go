// Package cgroup reads what control groups, of both versions, allow a process
// of CPU time, and how often they kept it from running because that was used up.
// Where there are none, as on other systems than Linux, all of it is zero.
package cgroup
