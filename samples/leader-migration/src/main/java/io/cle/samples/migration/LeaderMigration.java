package io.cle.samples.migration;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

import org.springframework.boot.convert.DurationStyle;

/** The program: {@code java -jar leader-migration.jar [--pause=1s]}. Needs no cluster; exits with 0 if nothing went wrong. */
public final class LeaderMigration {

    private static final String PAUSE = "--pause=";
    private static final int USAGE = 64;

    private LeaderMigration() {}

    /** Tells the story, and exits. */
    public static void main(String[] args) throws IOException {
        Settings settings = Settings.DEFAULT;
        for (String arg : args) {
            if (!arg.startsWith(PAUSE)) {
                System.err.println("unknown argument '" + arg + "'; there is only " + PAUSE + "<duration>, like "
                        + PAUSE + "0ms, between the acts");
                System.exit(USAGE);
            }
            Duration pause = DurationStyle.detectAndParse(arg.substring(PAUSE.length()));
            settings = new Settings(settings.timings(), pause, settings.patience(), settings.limit());
        }
        Path log = Files.createTempFile("leader-migration-", ".log");
        // logback.xml reads this property, so it must be set before anything logs.
        System.setProperty("leader-migration.log", log.toString());
        int exitCode = new Demo(settings, System.out).run();
        System.out.println("What all of them logged meanwhile: " + log);
        System.exit(exitCode);
    }
}
