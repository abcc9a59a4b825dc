package io.cle.samples.upgrade;

import java.io.PrintStream;
import java.util.List;
import java.util.concurrent.CountDownLatch;

import io.cle.samples.narration.Narrator;
import io.cle.samples.narration.Problems;
import io.cle.samples.narration.Stopwatch;
import io.cle.samples.narration.StoryFailedException;
import io.cle.samples.narration.Verdict;

/** Tells the story within a time limit, and judges it. */
final class Demo {

    private final Settings settings;
    private final Narrator narrator;
    private final Verdict verdict;
    private final Stopwatch stopwatch = new Stopwatch();
    private final Problems problems = new Problems();
    private final Chronicle chronicle = new Chronicle(stopwatch, problems);
    private final OverlapWatch watch = new OverlapWatch(stopwatch, problems);
    private final Ledger ledger = new Ledger();

    Demo(Settings settings, PrintStream out) {
        this.settings = settings;
        this.narrator = new Narrator(out);
        this.verdict = new Verdict(narrator, problems);
    }

    /** Tells the story; returns the exit code of the process. */
    int run() {
        return verdict.of(this::tellAndJudge, settings.limit());
    }

    private int tellAndJudge() throws InterruptedException {
        narrator.plain("Coordinated leader election: a rolling upgrade, all in this one process.");
        try (Cluster cluster = Cluster.start(settings.timings())) {
            narrator.tell(
                    stopwatch.now(), "an API server in memory listens at " + cluster.url() + "; a coordinator runs");
            narrator.plain("Who leads and why, live in a browser: " + cluster.page() + "/leases/shop/orders");
            Story story = new Story(settings, new Story.Stage(cluster, chronicle, watch, ledger, stopwatch), narrator);
            watch.start();
            try {
                story.tell();
            } catch (StoryFailedException e) {
                watch.stop();
                showTerms(chronicle.terms());
                judge();
                return verdict.unfinished(String.valueOf(e.getMessage()));
            }
            watch.stop();
            List<RecordedTerm> terms = chronicle.terms();
            if (settings.linger()) {
                showTerms(terms);
                int exitCode = judge();
                narrator.plain("The last replicas go on, until Ctrl-C: " + cluster.page());
                new CountDownLatch(1).await();
                return exitCode;
            }
            story.close();
            showTerms(terms);
            return judge();
        }
    }

    private void showTerms(List<RecordedTerm> terms) {
        narrator.act("Who led when");
        narrator.plain(TermTable.of(terms, ledger::writes));
        narrator.plain("");
    }

    private int judge() {
        if (ledger.refused() > 0) {
            problems.accept(ledger.refused() + " writes reached the ledger after a term that was over");
        }
        String evidence = "all replicas were asked " + String.format("%,d", watch.samples())
                + " times whether they lead (at most " + Stopwatch.millis(watch.longestStep()) + " ms apart), and "
                + String.format("%,d", ledger.writes()) + " writes were checked for their fencing tokens";
        return verdict.judge("Never two led at once, and none before an older one but the canary", evidence);
    }
}
