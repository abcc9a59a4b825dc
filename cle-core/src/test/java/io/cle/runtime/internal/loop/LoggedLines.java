package io.cle.runtime.internal.loop;

import java.util.List;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.LoggerFactory;

/** What a class logs at {@code INFO} and above during a test. */
public final class LoggedLines implements BeforeEachCallback, AfterEachCallback {

    private final Logger logger;
    private final ListAppender<ILoggingEvent> appender = new ListAppender<>();
    private Level levelBefore;

    public LoggedLines(Class<?> type) {
        logger = (Logger) LoggerFactory.getLogger(type);
    }

    /** Each line as {@code LEVEL message}. */
    public List<String> lines() {
        return appender.list.stream()
                .map(line -> line.getLevel() + " " + line.getFormattedMessage())
                .toList();
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        levelBefore = logger.getLevel();
        logger.setLevel(Level.INFO);
        appender.start();
        logger.addAppender(appender);
    }

    @Override
    public void afterEach(ExtensionContext context) {
        logger.detachAppender(appender);
        logger.setLevel(levelBefore);
    }
}
