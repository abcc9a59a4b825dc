package io.cle.samples.migration;

import java.io.PrintStream;

import io.cle.samples.narration.Narrator;
import io.cle.samples.narration.Problems;
import io.cle.samples.narration.Stopwatch;
import io.cle.samples.narration.StoryFailedException;
import io.cle.samples.narration.Verdict;
import io.cle.test.apiserver.EmbeddedApiServer;

/** Tells the story within a time limit, and judges it. */
final class Demo {

    private final Settings settings;
    private final Narrator narrator;
    private final Verdict verdict;
    private final Stopwatch stopwatch = new Stopwatch();
    private final Problems problems = new Problems();
    private final Board board = new Board(stopwatch, problems);

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
        narrator.plain("Leader migration: three jobs move from the service 'shop' to the service 'billing', and back.");
        try (EmbeddedApiServer apiServer = EmbeddedApiServer.start();
                Story story = new Story(settings, apiServer, board, stopwatch, narrator)) {
            narrator.tell(stopwatch.now(), "an API server in memory listens at " + apiServer.url());
            try {
                story.tell();
            } catch (StoryFailedException e) {
                judge();
                return verdict.unfinished(String.valueOf(e.getMessage()));
            }
        }
        return judge();
    }

    private int judge() {
        narrator.act("Which replica ran each job, and how long none did");
        narrator.plain(StintTable.of(board));
        narrator.plain("");
        return verdict.judge(
                "No job ever ran in two places",
                "whenever one began, the one before had ended ("
                        + board.stints().size() + " times)");
    }
}
