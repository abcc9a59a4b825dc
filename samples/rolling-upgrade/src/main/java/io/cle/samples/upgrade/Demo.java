package io.cle.samples.upgrade;

import java.io.PrintStream;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.cle.samples.narration.Narrator;
import io.cle.samples.narration.Problems;
import io.cle.samples.narration.Stopwatch;
import io.cle.samples.narration.StoryFailedException;

/** Tells the story, within a time, and judges it. */
final class Demo {

    /** Never two led at once, and no rule was broken. */
    static final int GOOD = 0;

    /** What must never happen did. */
    static final int BROKEN = 1;

    /** The story didn't come to its end. */
    static final int UNFINISHED = 2;

    private final Settings settings;
    private final Narrator narrator;
    private final Stopwatch stopwatch = new Stopwatch();
    private final Problems problems = new Problems();
    private final Chronicle chronicle = new Chronicle(stopwatch, problems);
    private final OverlapWatch watch = new OverlapWatch(stopwatch, problems);
    private final Ledger ledger = new Ledger();

    Demo(Settings settings, PrintStream out) {
        this.settings = settings;
        this.narrator = new Narrator(out);
    }

    /** Tells the story; what the process is to exit with. */
    int run() {
        ExecutorService teller = Executors.newSingleThreadExecutor(task -> {
            Thread thread = new Thread(task, "story");
            thread.setDaemon(true);
            return thread;
        });
        try {
            Callable<Integer> all = this::tellAndJudge;
            return teller.submit(all).get(settings.limit().toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            return unfinished("it has taken longer than " + settings.limit().toSeconds() + " s");
        } catch (ExecutionException e) {
            return unfinished(String.valueOf(e.getCause()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return unfinished("it was interrupted");
        } finally {
            teller.shutdownNow();
        }
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
                return unfinished(String.valueOf(e.getMessage()));
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
        List<String> broken = problems.messages();
        String evidence = "all replicas were asked " + String.format("%,d", watch.samples())
                + " times whether they lead (at most " + Stopwatch.millis(watch.longestStep()) + " ms apart), and "
                + String.format("%,d", ledger.writes()) + " writes were checked for their fencing tokens";
        if (broken.isEmpty()) {
            narrator.verdict(true, "Never two led at once, and none before an older one: " + evidence + ".");
            return GOOD;
        }
        narrator.verdict(false, "What must never happen has happened (" + evidence + "):");
        broken.forEach(problem -> narrator.verdict(false, "  - " + problem));
        return BROKEN;
    }

    private int unfinished(String why) {
        narrator.verdict(false, "The demo did not come to its end: " + why);
        return UNFINISHED;
    }
}
