package io.cle.test.contract;

import java.util.ArrayDeque;
import java.util.Deque;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.opentest4j.TestAbortedException;

/**
 * Begins the message of a failure with the path of its test. A build's console names a test by the class that declares it: of a contract
 * that several classes inherit, nothing else says on which server and for which store it has failed.
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
