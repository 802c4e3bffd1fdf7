// Package cgroup reads how much CPU time control groups of both versions allow
// a process, and how often they kept it from running because that was used up.
// Where there are none, as on other systems than Linux, all of it is zero. It also
// makes groups with limits, for a while, where the system allows that.
package cgroup
