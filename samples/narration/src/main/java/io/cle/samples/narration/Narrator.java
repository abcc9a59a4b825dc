package io.cle.samples.narration;

import java.io.PrintStream;
import java.util.Arrays;
import java.util.stream.Collectors;

import org.springframework.boot.ansi.AnsiColor;
import org.springframework.boot.ansi.AnsiElement;
import org.springframework.boot.ansi.AnsiOutput;
import org.springframework.boot.ansi.AnsiStyle;

/** Prints the story: one line per event, with the milliseconds since the start. Thread-safe. */
public final class Narrator {

    private static final String INDENT = " ".repeat(14);

    private final PrintStream out;

    /** Prints to a stream; in colours if that is a terminal. */
    public Narrator(PrintStream out) {
        this.out = out;
    }

    /** Prints a heading. */
    public synchronized void act(String title) {
        out.println();
        out.println(styled(title, AnsiStyle.BOLD));
    }

    /** Prints an action of the story. */
    public void tell(long time, String text) {
        line(time, text, AnsiColor.DEFAULT);
    }

    /** Prints that a replica leads. */
    public void good(long time, String text) {
        line(time, text, AnsiColor.GREEN);
    }

    /** Prints that a replica has stopped leading. */
    public void bad(long time, String text) {
        line(time, text, AnsiColor.YELLOW);
    }

    /** Prints an explanation. */
    public synchronized void explain(String text) {
        out.println(styled(
                Arrays.stream(text.split("\n", -1)).map(INDENT::concat).collect(Collectors.joining("\n")),
                AnsiStyle.FAINT));
    }

    /** Prints text unchanged. */
    public synchronized void plain(String text) {
        out.println(text);
    }

    /** Prints the verdict, good or bad. */
    public synchronized void verdict(boolean good, String text) {
        out.println(styled(text, good ? AnsiColor.GREEN : AnsiColor.RED));
    }

    private synchronized void line(long time, String text, AnsiColor color) {
        out.printf("%10s ms %s%n", Stopwatch.millis(time), styled(text, color));
    }

    private static String styled(String text, AnsiElement style) {
        return AnsiOutput.toString(style, text);
    }
}
