package io.cle.samples.orders.demo;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Locale;

import io.cle.samples.narration.Narrator;
import io.cle.samples.narration.Problems;
import io.cle.samples.narration.Stopwatch;
import io.cle.samples.narration.StoryFailedException;
import io.cle.samples.narration.Verdict;

/** Tells the story within a time limit, and judges it. */
final class Demo {

    private final Settings settings;
    private final Path logs;
    private final Narrator narrator;
    private final Verdict verdict;
    private final Stopwatch stopwatch = new Stopwatch();
    private final Problems problems = new Problems();
    private final OrderBook book = new OrderBook(Story.SHARDS, problems);
    private final ShardTerms terms = new ShardTerms(problems);

    /**
     * Creates a demo.
     *
     * @param logs a directory for the logs of all processes
     */
    Demo(Settings settings, Path logs, PrintStream out) {
        this.settings = settings;
        this.logs = logs;
        this.narrator = new Narrator(out);
        this.verdict = new Verdict(narrator, problems);
    }

    /** Tells the story; returns the exit code of the process. */
    int run() {
        return verdict.of(this::tellAndJudge, settings.limit());
    }

    private int tellAndJudge() throws InterruptedException {
        narrator.plain(
                "Shards: the replicas of one service share the orders of its customers, each a process of its own.");
        try (Cluster cluster = Cluster.start(settings.coordinator(), settings.timings(), logs);
                OrderServer server = new OrderServer(book, terms, stopwatch);
                Customers customers = new Customers();
                Story story = new Story(
                        settings,
                        new Story.Stage(cluster, server.url(), customers, book, terms, stopwatch, logs),
                        narrator)) {
            cluster.awaitReady();
            narrator.tell(stopwatch.now(), "there is " + cluster.description() + ", and the coordinator runs");
            narrator.plain("Who leads which shard and why, live in a browser: " + cluster.page());
            customers.order(book);
            narrator.tell(
                    stopwatch.now(),
                    customers.spread(Story.SHARDS) + " order from now on; the lease 'orders' has " + Story.SHARDS
                            + " shards");
            try {
                story.tell();
                story.stop();
            } catch (StoryFailedException e) {
                judge(story);
                return verdict.unfinished(String.valueOf(e.getMessage()));
            }
            return judge(story);
        }
    }

    private int judge(Story story) {
        narrator.act("What each step has cost");
        narrator.plain(Step.table(story.steps()));
        narrator.plain("");
        if (book.refused() > 0) {
            problems.accept(book.refused() + " writes came from a term after a later one of its shard had begun");
        }
        String evidence = String.format(
                Locale.ROOT,
                "%,d orders were placed and %,d done, each once, in %,d attempts whose fencing tokens were checked; %,d terms of shards",
                book.placed(),
                book.done(),
                book.begun(),
                terms.count());
        return verdict.judge(
                "No customer was ever worked for by two replicas at once, and no order was forgotten", evidence);
    }
}
