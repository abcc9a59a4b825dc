package io.cle.samples.narration;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The outcome of a story: its last output, and the exit code of its process. */
public final class Verdict {

    /** The story completed without violations. */
    public static final int GOOD = 0;

    /** There were violations. */
    public static final int BROKEN = 1;

    /** The story did not complete. */
    public static final int UNFINISHED = 2;

    private final Narrator narrator;
    private final Problems problems;

    /** Creates a verdict on the problems of a story, which the narrator prints. */
    public Verdict(Narrator narrator, Problems problems) {
        this.narrator = narrator;
        this.problems = problems;
    }

    /**
     * Runs a story on a separate thread, and interrupts it at the time limit.
     *
     * @param story returns the exit code
     * @return the exit code: {@link #UNFINISHED} if the story throws or takes longer
     */
    public int of(Callable<Integer> story, Duration limit) {
        ExecutorService teller = Executors.newSingleThreadExecutor(task -> {
            Thread thread = new Thread(task, "story");
            thread.setDaemon(true);
            return thread;
        });
        try {
            return teller.submit(story).get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            return unfinished("it has taken longer than " + limit.toSeconds() + " s");
        } catch (ExecutionException e) {
            return unfinished(String.valueOf(e.getCause()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return unfinished("it was interrupted");
        } finally {
            teller.shutdownNow();
        }
    }

    /**
     * Prints whether there were violations.
     *
     * @param good the message if there were none
     * @param evidence the basis of the judgement
     * @return the exit code
     */
    public int judge(String good, String evidence) {
        List<String> broken = problems.messages();
        if (broken.isEmpty()) {
            narrator.verdict(true, good + ": " + evidence + ".");
            return GOOD;
        }
        narrator.verdict(false, "What must never happen has happened (" + evidence + "):");
        broken.forEach(problem -> narrator.verdict(false, "  - " + problem));
        return BROKEN;
    }

    /** Prints that the story did not complete; returns the exit code. */
    public int unfinished(String why) {
        narrator.verdict(false, "The story did not come to its end: " + why);
        return UNFINISHED;
    }
}
