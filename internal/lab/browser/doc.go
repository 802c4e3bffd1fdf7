// Package browser drives a real headless Chromium, so that tests can see what
// becomes of pawl's pages. They check whether pages open without errors and
// without the network, what a key or a click does, and whether people can read
// them. Only tests import it.
//
// Tests speak to Chromium over two pipes (--remote-debugging-pipe) in the
// DevTools protocol: JSON messages, each with a zero byte behind it. There is
// no port, no websocket and no dependency. Its profile is a directory of its
// own that is removed when it ends, and it finds no host by name. Its whole
// process group is killed when its context ends, on Close, and when it does not
// answer at its start. When a test is killed, Chromium ends with its pipes and
// leaves that directory.
//
//	Shared    one browser for the tests of a package; skips where there is none
//	Browser   a running Chromium
//	Page      one page in it: go there, look, press keys
//	Faults    what a person would stumble over on the page as it is now
//
// PAWL_CHROMIUM names the program; else the usual names are looked up. Where
// PAWL_NEED_CHROMIUM is set, a test that finds none fails instead of skipping.
package browser
