package io.cle.spring.kubernetes.internal;

import io.cle.kubernetes.IncompatibleLibraryException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Names the library that can't work, the version found, and how the build gets one that does. */
class IncompatibleLibraryFailureAnalyzer extends AbstractFailureAnalyzer<IncompatibleLibraryException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, IncompatibleLibraryException cause) {
        return new FailureAnalysis("Leader election can't work: " + cause.getMessage() + ".", cause.action(), cause);
    }
}
