// Package catalogue lists pawl's rules: those with an analyzer, and the
// entries of the catalogue that have none, with the reason.
package catalogue

import (
	"io/fs"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/pawl-dev/pawl/rules"
	"github.com/pawl-dev/pawl/rules/abandonedsend"
	"github.com/pawl-dev/pawl/rules/anyvalue"
	"github.com/pawl-dev/pawl/rules/appendtext"
	"github.com/pawl-dev/pawl/rules/bigcopy"
	"github.com/pawl-dev/pawl/rules/bigrat"
	"github.com/pawl-dev/pawl/rules/binaryscalar"
	"github.com/pawl-dev/pawl/rules/boxing"
	"github.com/pawl-dev/pawl/rules/busyselect"
	"github.com/pawl-dev/pawl/rules/bytestwin"
	"github.com/pawl-dev/pawl/rules/cgobatch"
	"github.com/pawl-dev/pawl/rules/channelcounter"
	"github.com/pawl-dev/pawl/rules/clientpercall"
	"github.com/pawl-dev/pawl/rules/collectkeys"
	"github.com/pawl-dev/pawl/rules/constbuild"
	"github.com/pawl-dev/pawl/rules/contextbag"
	"github.com/pawl-dev/pawl/rules/deadformat"
	"github.com/pawl-dev/pawl/rules/deepequal"
	"github.com/pawl-dev/pawl/rules/deeprecursion"
	"github.com/pawl-dev/pawl/rules/deferloop"
	"github.com/pawl-dev/pawl/rules/drainbody"
	"github.com/pawl-dev/pawl/rules/falsesharing"
	"github.com/pawl-dev/pawl/rules/fieldbyname"
	"github.com/pawl-dev/pawl/rules/finalizerclose"
	"github.com/pawl-dev/pawl/rules/foldcase"
	"github.com/pawl-dev/pawl/rules/freememory"
	"github.com/pawl-dev/pawl/rules/fsyncfile"
	"github.com/pawl-dev/pawl/rules/fullcompare"
	"github.com/pawl-dev/pawl/rules/gcrequest"
	"github.com/pawl-dev/pawl/rules/gomaxprocs"
	"github.com/pawl-dev/pawl/rules/goroutineleak"
	"github.com/pawl-dev/pawl/rules/goroutineperitem"
	"github.com/pawl-dev/pawl/rules/gosched"
	"github.com/pawl-dev/pawl/rules/headerkey"
	"github.com/pawl-dev/pawl/rules/indexmap"
	"github.com/pawl-dev/pawl/rules/initwork"
	"github.com/pawl-dev/pawl/rules/invariantpath"
	"github.com/pawl-dev/pawl/rules/itemalloc"
	"github.com/pawl-dev/pawl/rules/jsoncodec"
	"github.com/pawl-dev/pawl/rules/jsonfields"
	"github.com/pawl-dev/pawl/rules/jsonmap"
	"github.com/pawl-dev/pawl/rules/jsonroundtrip"
	"github.com/pawl-dev/pawl/rules/lazyregexp"
	"github.com/pawl-dev/pawl/rules/loadorstore"
	"github.com/pawl-dev/pawl/rules/lockio"
	"github.com/pawl-dev/pawl/rules/lockosthread"
	"github.com/pawl-dev/pawl/rules/logargs"
	"github.com/pawl-dev/pawl/rules/logstack"
	"github.com/pawl-dev/pawl/rules/lookpath"
	"github.com/pawl-dev/pawl/rules/mapsize"
	"github.com/pawl-dev/pawl/rules/marshalkeys"
	"github.com/pawl-dev/pawl/rules/nestedscan"
	"github.com/pawl-dev/pawl/rules/nowcompare"
	"github.com/pawl-dev/pawl/rules/plainprintf"
	"github.com/pawl-dev/pawl/rules/pointermap"
	"github.com/pawl-dev/pawl/rules/pointerslice"
	"github.com/pawl-dev/pawl/rules/poolreset"
	"github.com/pawl-dev/pawl/rules/poolvalue"
	"github.com/pawl-dev/pawl/rules/queuebound"
	"github.com/pawl-dev/pawl/rules/readall"
	"github.com/pawl-dev/pawl/rules/readmemstats"
	"github.com/pawl-dev/pawl/rules/recompute"
	"github.com/pawl-dev/pawl/rules/reflectrows"
	"github.com/pawl-dev/pawl/rules/regexpcompile"
	"github.com/pawl-dev/pawl/rules/regexpliteral"
	"github.com/pawl-dev/pawl/rules/requestlog"
	"github.com/pawl-dev/pawl/rules/rule"
	"github.com/pawl-dev/pawl/rules/scratch"
	"github.com/pawl-dev/pawl/rules/scratchfield"
	"github.com/pawl-dev/pawl/rules/signalwork"
	"github.com/pawl-dev/pawl/rules/slicesize"
	"github.com/pawl-dev/pawl/rules/slogattrs"
	"github.com/pawl-dev/pawl/rules/splitcut"
	"github.com/pawl-dev/pawl/rules/sprintf"
	"github.com/pawl-dev/pawl/rules/stackall"
	"github.com/pawl-dev/pawl/rules/statafterreaddir"
	"github.com/pawl-dev/pawl/rules/staticerror"
	"github.com/pawl-dev/pawl/rules/statopen"
	"github.com/pawl-dev/pawl/rules/tempbuffer"
	"github.com/pawl-dev/pawl/rules/textformat"
	"github.com/pawl-dev/pawl/rules/timeafter"
	"github.com/pawl-dev/pawl/rules/tokenbuild"
	"github.com/pawl-dev/pawl/rules/transportpercall"
	"github.com/pawl-dev/pawl/rules/treeclone"
	"github.com/pawl-dev/pawl/rules/twicelookup"
	"github.com/pawl-dev/pawl/rules/unboundedcache"
	"github.com/pawl-dev/pawl/rules/unbuffered"
	"github.com/pawl-dev/pawl/rules/unsafestring"
	"github.com/pawl-dev/pawl/rules/writebytes"
	"github.com/pawl-dev/pawl/rules/writeconcat"
	"github.com/pawl-dev/pawl/rules/writesprintf"
)

// An Entry is a rule with its analyzer, which is nil where Rule.Missing says
// why.
type Entry struct {
	Rule     rule.Rule
	Analyzer *analysis.Analyzer
}

// All returns the catalogue, sorted by the ids that the entries answer to.
func All() []Entry {
	all := implemented()
	for i, e := range all {
		files, err := fs.Sub(rules.Evidence, e.Rule.Name)
		if err != nil {
			panic(err) // the name is not a path
		}
		ev := *e.Rule.Evidence
		ev.Files = files
		all[i].Rule.Evidence = &ev
	}
	return byID(append(all, missing()...))
}

func byID(entries []Entry) []Entry {
	slices.SortStableFunc(entries, func(a, b Entry) int { return strings.Compare(a.Rule.IDs[0], b.Rule.IDs[0]) })
	return entries
}

func implemented() []Entry {
	return []Entry{
		{abandonedsend.Rule, abandonedsend.Analyzer},
		{anyvalue.Rule, anyvalue.Analyzer},
		{appendtext.Rule, appendtext.Analyzer},
		{bigcopy.Rule, bigcopy.Analyzer},
		{bigrat.Rule, bigrat.Analyzer},
		{binaryscalar.Rule, binaryscalar.Analyzer},
		{boxing.Rule, boxing.Analyzer},
		{busyselect.Rule, busyselect.Analyzer},
		{bytestwin.Rule, bytestwin.Analyzer},
		{cgobatch.Rule, cgobatch.Analyzer},
		{channelcounter.Rule, channelcounter.Analyzer},
		{clientpercall.Rule, clientpercall.Analyzer},
		{collectkeys.Rule, collectkeys.Analyzer},
		{constbuild.Rule, constbuild.Analyzer},
		{contextbag.Rule, contextbag.Analyzer},
		{deadformat.Rule, deadformat.Analyzer},
		{deepequal.Rule, deepequal.Analyzer},
		{deeprecursion.Rule, deeprecursion.Analyzer},
		{deferloop.Rule, deferloop.Analyzer},
		{drainbody.Rule, drainbody.Analyzer},
		{falsesharing.Rule, falsesharing.Analyzer},
		{fieldbyname.Rule, fieldbyname.Analyzer},
		{finalizerclose.Rule, finalizerclose.Analyzer},
		{foldcase.Rule, foldcase.Analyzer},
		{freememory.Rule, freememory.Analyzer},
		{fsyncfile.Rule, fsyncfile.Analyzer},
		{fullcompare.Rule, fullcompare.Analyzer},
		{gcrequest.Rule, gcrequest.Analyzer},
		{gomaxprocs.Rule, gomaxprocs.Analyzer},
		{goroutineleak.Rule, goroutineleak.Analyzer},
		{goroutineperitem.Rule, goroutineperitem.Analyzer},
		{gosched.Rule, gosched.Analyzer},
		{headerkey.Rule, headerkey.Analyzer},
		{indexmap.Rule, indexmap.Analyzer},
		{initwork.Rule, initwork.Analyzer},
		{invariantpath.Rule, invariantpath.Analyzer},
		{itemalloc.Rule, itemalloc.Analyzer},
		{jsoncodec.Rule, jsoncodec.Analyzer},
		{jsonfields.Rule, jsonfields.Analyzer},
		{jsonmap.Rule, jsonmap.Analyzer},
		{jsonroundtrip.Rule, jsonroundtrip.Analyzer},
		{lazyregexp.Rule, lazyregexp.Analyzer},
		{loadorstore.Rule, loadorstore.Analyzer},
		{lockio.Rule, lockio.Analyzer},
		{lockosthread.Rule, lockosthread.Analyzer},
		{logargs.Rule, logargs.Analyzer},
		{logstack.Rule, logstack.Analyzer},
		{lookpath.Rule, lookpath.Analyzer},
		{mapsize.Rule, mapsize.Analyzer},
		{marshalkeys.Rule, marshalkeys.Analyzer},
		{nestedscan.Rule, nestedscan.Analyzer},
		{nowcompare.Rule, nowcompare.Analyzer},
		{plainprintf.Rule, plainprintf.Analyzer},
		{pointermap.Rule, pointermap.Analyzer},
		{pointerslice.Rule, pointerslice.Analyzer},
		{poolreset.Rule, poolreset.Analyzer},
		{poolvalue.Rule, poolvalue.Analyzer},
		{queuebound.Rule, queuebound.Analyzer},
		{readall.Rule, readall.Analyzer},
		{readmemstats.Rule, readmemstats.Analyzer},
		{recompute.Rule, recompute.Analyzer},
		{reflectrows.Rule, reflectrows.Analyzer},
		{regexpcompile.Rule, regexpcompile.Analyzer},
		{regexpliteral.Rule, regexpliteral.Analyzer},
		{requestlog.Rule, requestlog.Analyzer},
		{scratch.Rule, scratch.Analyzer},
		{scratchfield.Rule, scratchfield.Analyzer},
		{signalwork.Rule, signalwork.Analyzer},
		{slicesize.Rule, slicesize.Analyzer},
		{slogattrs.Rule, slogattrs.Analyzer},
		{splitcut.Rule, splitcut.Analyzer},
		{sprintf.Rule, sprintf.Analyzer},
		{stackall.Rule, stackall.Analyzer},
		{statafterreaddir.Rule, statafterreaddir.Analyzer},
		{staticerror.Rule, staticerror.Analyzer},
		{statopen.Rule, statopen.Analyzer},
		{tempbuffer.Rule, tempbuffer.Analyzer},
		{textformat.Rule, textformat.Analyzer},
		{timeafter.Rule, timeafter.Analyzer},
		{tokenbuild.Rule, tokenbuild.Analyzer},
		{transportpercall.Rule, transportpercall.Analyzer},
		{treeclone.Rule, treeclone.Analyzer},
		{twicelookup.Rule, twicelookup.Analyzer},
		{unboundedcache.Rule, unboundedcache.Analyzer},
		{unbuffered.Rule, unbuffered.Analyzer},
		{unsafestring.Rule, unsafestring.Analyzer},
		{writebytes.Rule, writebytes.Analyzer},
		{writeconcat.Rule, writeconcat.Analyzer},
		{writesprintf.Rule, writesprintf.Analyzer},
	}
}
