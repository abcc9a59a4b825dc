package io.cle.samples.migration;

import java.io.PrintStream;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.cle.samples.narration.Narrator;
import io.cle.samples.narration.Problems;
import io.cle.samples.narration.Stopwatch;
import io.cle.samples.narration.StoryFailedException;
import io.cle.test.apiserver.EmbeddedApiServer;

/** Tells the story, within a time, and judges it. */
final class Demo {

    /** No job ever ran in two places. */
    static final int GOOD = 0;

    /** What must never happen did. */
    static final int BROKEN = 1;

    /** The story didn't come to its end. */
    static final int UNFINISHED = 2;

    private final Settings settings;
    private final Narrator narrator;
    private final Stopwatch stopwatch = new Stopwatch();
    private final Problems problems = new Problems();
    private final Board board = new Board(stopwatch, problems);

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
        narrator.plain("Leader migration: three jobs move from the service 'shop' to the service 'billing', and back.");
        try (EmbeddedApiServer apiServer = EmbeddedApiServer.start();
                Story story = new Story(settings, apiServer, board, stopwatch, narrator)) {
            narrator.tell(stopwatch.now(), "an API server in memory listens at " + apiServer.url());
            try {
                story.tell();
            } catch (StoryFailedException e) {
                judge();
                return unfinished(String.valueOf(e.getMessage()));
            }
        }
        return judge();
    }

    private int judge() {
        narrator.act("Which replica ran each job, and how long none did");
        narrator.plain(StintTable.of(board));
        narrator.plain("");
        List<String> broken = problems.messages();
        if (broken.isEmpty()) {
            narrator.verdict(
                    true,
                    "No job ever ran in two places: all " + board.stints().size()
                            + " times that one began, the one before had ended.");
            return GOOD;
        }
        narrator.verdict(false, "What must never happen has happened:");
        broken.forEach(problem -> narrator.verdict(false, "  - " + problem));
        return BROKEN;
    }

    private int unfinished(String why) {
        narrator.verdict(false, "The story did not come to its end: " + why);
        return UNFINISHED;
    }
}
