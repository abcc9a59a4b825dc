package io.cle.test.contract;

import java.util.ArrayDeque;
import java.util.Deque;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.opentest4j.TestAbortedException;

/**
 * Prefixes the message of a failure with the path of its test. A build's console names only the class that declares the
 * test; if several classes inherit it, that doesn't show for which server and store it failed.
 */
public final class PathInFailures implements TestExecutionExceptionHandler {

    @Override
    public void handleTestExecutionException(ExtensionContext test, Throwable failure) throws Throwable {
        if (failure instanceof TestAbortedException) {
            throw failure;
        }
        AssertionError withPath = new AssertionError(path(test) + ": " + failure.getMessage(), failure);
        withPath.setStackTrace(failure.getStackTrace());
        throw withPath;
    }

    private static String path(ExtensionContext test) {
        Deque<String> names = new ArrayDeque<>();
        for (ExtensionContext at = test;
                at.getElement().isPresent();
                at = at.getParent().orElseThrow()) {
            names.addFirst(at.getDisplayName());
        }
        return String.join(" › ", names);
    }
}
