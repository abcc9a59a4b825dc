package io.cle.samples.narration;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** How a story ended: what it prints last, and the exit code of its process. */
public final class Verdict {

    /** The story came to its end, and what must never happen didn't. */
    public static final int GOOD = 0;

    /** What must never happen did. */
    public static final int BROKEN = 1;

    /** The story did not come to its end. */
    public static final int UNFINISHED = 2;

    private final Narrator narrator;
    private final Problems problems;

    /** A verdict on what a story has found, printed by the narrator. */
    public Verdict(Narrator narrator, Problems problems) {
        this.narrator = narrator;
        this.problems = problems;
    }

    /**
     * Tells a story on a thread of its own, and interrupts it when the time is over.
     *
     * @param story gives the exit code
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
     * Says whether what must never happen did.
     *
     * @param good what is said if it didn't
     * @param evidence what the judgement rests on
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

    /** Says that the story did not come to its end; the exit code. */
    public int unfinished(String why) {
        narrator.verdict(false, "The story did not come to its end: " + why);
        return UNFINISHED;
    }
}
