package io.cle.loop.internal;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxy;
import ch.qos.logback.core.read.ListAppender;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.LoggerFactory;

/** Records what some classes log at {@code INFO} and above during a test. */
public final class LoggedLines implements BeforeEachCallback, AfterEachCallback {

    private final List<Logger> loggers;
    private final ListAppender<ILoggingEvent> appender = new ListAppender<>() {
        @Override
        public synchronized void doAppend(ILoggingEvent line) {
            if (failure != null) {
                throw failure;
            }
            super.doAppend(line);
        }
    };
    private volatile Error failure;
    private final Map<Logger, Level> levelsBefore = new HashMap<>();

    public LoggedLines(Class<?>... types) {
        loggers = Arrays.stream(types)
                .map(type -> (Logger) LoggerFactory.getLogger(type))
                .toList();
    }

    /** Each line as {@code LEVEL message}. */
    public List<String> lines() {
        return appender.list.stream()
                .map(line -> line.getLevel() + " " + line.getFormattedMessage())
                .toList();
    }

    /** The exceptions of the lines that have one. */
    public List<Throwable> failures() {
        return appender.list.stream()
                .map(ILoggingEvent::getThrowableProxy)
                .filter(ThrowableProxy.class::isInstance)
                .map(proxy -> ((ThrowableProxy) proxy).getThrowable())
                .toList();
    }

    /** Makes every further log call throw. */
    public void failWith(Error why) {
        failure = why;
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        appender.start();
        for (Logger logger : loggers) {
            levelsBefore.put(logger, logger.getLevel());
            logger.setLevel(Level.INFO);
            logger.addAppender(appender);
        }
    }

    @Override
    public void afterEach(ExtensionContext context) {
        for (Logger logger : loggers) {
            logger.detachAppender(appender);
            logger.setLevel(levelsBefore.get(logger));
        }
    }
}
