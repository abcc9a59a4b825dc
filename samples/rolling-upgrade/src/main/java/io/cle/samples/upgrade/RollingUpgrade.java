package io.cle.samples.upgrade;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.springframework.boot.convert.DurationStyle;

/** The demo's program: {@code java -jar rolling-upgrade.jar [--pause=1500ms] [--linger]}. Needs no cluster; exits with 0 if nothing went wrong. */
public final class RollingUpgrade {

    private static final String PAUSE = "--pause=";
    private static final String LINGER = "--linger";
    private static final int USAGE = 64;

    private RollingUpgrade() {}

    /** Runs the demo, and exits. */
    public static void main(String[] args) throws IOException {
        Settings settings = Settings.DEFAULT;
        for (String arg : args) {
            if (arg.equals(LINGER)) {
                settings = settings.lingering();
            } else if (arg.startsWith(PAUSE)) {
                settings = settings.pausing(DurationStyle.detectAndParse(arg.substring(PAUSE.length())));
            } else {
                System.err.println("unknown argument '" + arg + "'; there are " + PAUSE + "<duration>, like " + PAUSE
                        + "0ms, between the acts, and " + LINGER + " to keep the last replicas running");
                System.exit(USAGE);
            }
        }
        Path log = Files.createTempFile("rolling-upgrade-", ".log");
        // logback.xml reads this property, so it must be set before anything logs.
        System.setProperty("rolling-upgrade.log", log.toString());
        int exitCode = new Demo(settings, System.out).run();
        System.out.println("What all of them logged meanwhile: " + log);
        System.exit(exitCode);
    }
}
