package io.cle.samples.narration;

import java.io.PrintStream;
import java.util.Arrays;
import java.util.stream.Collectors;

import org.springframework.boot.ansi.AnsiColor;
import org.springframework.boot.ansi.AnsiElement;
import org.springframework.boot.ansi.AnsiOutput;
import org.springframework.boot.ansi.AnsiStyle;

/** Tells the story: one line for each thing that happens, with the milliseconds since the beginning. Thread-safe. */
public final class Narrator {

    private static final String INDENT = " ".repeat(14);

    private final PrintStream out;

    /** Tells it to a stream; in colours where that is a terminal. */
    public Narrator(PrintStream out) {
        this.out = out;
    }

    /** A heading. */
    public synchronized void act(String title) {
        out.println();
        out.println(styled(title, AnsiStyle.BOLD));
    }

    /** Something that the story does. */
    public void tell(long time, String text) {
        line(time, text, AnsiColor.DEFAULT);
    }

    /** A replica leads. */
    public void good(long time, String text) {
        line(time, text, AnsiColor.GREEN);
    }

    /** A replica has stopped leading. */
    public void bad(long time, String text) {
        line(time, text, AnsiColor.YELLOW);
    }

    /** Explains what was told. */
    public synchronized void explain(String text) {
        out.println(styled(
                Arrays.stream(text.split("\n", -1)).map(INDENT::concat).collect(Collectors.joining("\n")),
                AnsiStyle.FAINT));
    }

    /** As it is. */
    public synchronized void plain(String text) {
        out.println(text);
    }

    /** The end: well or not. */
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
