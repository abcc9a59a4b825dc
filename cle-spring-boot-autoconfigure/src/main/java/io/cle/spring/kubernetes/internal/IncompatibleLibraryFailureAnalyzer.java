package io.cle.spring.kubernetes.internal;

import io.cle.kubernetes.IncompatibleLibraryException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Explains which library is incompatible, which version was found, and how to get one that works. */
class IncompatibleLibraryFailureAnalyzer extends AbstractFailureAnalyzer<IncompatibleLibraryException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, IncompatibleLibraryException cause) {
        return new FailureAnalysis("Leader election can't work: " + cause.getMessage() + ".", cause.action(), cause);
    }
}
