// Package scrub takes secrets out of what leaves the machine: texts of other
// programs (test output, error messages, settings) and profiles.
//
// # Texts
//
// A report quotes what a test or a guard printed, and a program prints what it
// has: its environment, a request with its headers, a URL with a password. A
// Scrubber puts “«…»” in the place of
//
//   - values of the environment variables of this process whose names say that
//     they are secret, wherever they stand;
//   - values that stand beside a name that says so: PASSWORD=…, "token": "…";
//   - what looks like a token by itself: those of cloud and code hosts, which
//     have a prefix of their own, and JSON web tokens;
//   - credentials in headers and in URLs;
//   - private keys in PEM.
//
// All else stays: a scrubber that blanks hashes, benchmark names and golden
// output makes a report useless and is switched off. So a random-looking text
// alone is no secret, and a word beside “token” is none either. It follows that
// a secret without a name, in a form that nobody knows, is not found. Names
// and addresses of people are not looked for.
//
// # Profiles
//
// A profile holds more than stacks: labels that the program set (users,
// queries, tenants), comments, and the paths of sources and of the binary,
// with the name of the user who built it. Profile takes those out and leaves
// functions, files, lines and values, which is what a reader of it needs.
package scrub
